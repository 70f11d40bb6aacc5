from django.contrib import admin
from django.db.models import Count

from episodes.admin.forms import PersonForm
from episodes.admin.pictures import thumbnail
from episodes.models import Person


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    form = PersonForm
    fields = ["name", "url", "artwork_upload", "artwork_remove", "picture_url"]
    list_display = ["picture", "name", "url", "credit_count"]
    list_display_links = ["name"]
    search_fields = ["name", "url"]

    def get_queryset(self, request):
        return super().get_queryset(request).annotate(credit_count=Count("credits"))

    @admin.display(description="")
    def picture(self, person):
        return thumbnail(person)

    @admin.display(description="Credits", ordering="credit_count")
    def credit_count(self, person):
        return person.credit_count
