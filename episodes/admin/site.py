from django.contrib import admin

from episodes.models import Site


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):
    """The site's one row: its name and what it says of itself."""

    fields = ["title", "description"]

    def has_add_permission(self, request):
        return super().has_add_permission(request) and not Site.objects.exists()

    def has_delete_permission(self, request, obj=None):
        return False
