from django.contrib import admin
from django.db.models import Count
from django.urls import path

from episodes.admin.forms import PersonForm
from episodes.admin.pictures import send_picture, thumbnail
from episodes.admin.progress import UploadProgress
from episodes.models import Person


@admin.register(Person)
class PersonAdmin(UploadProgress):
    form = PersonForm
    fields = ["name", "url", "artwork_upload", "artwork_remove", "picture_url"]
    list_display = ["picture", "name", "url", "credit_count"]
    list_display_links = ["name"]
    search_fields = ["name", "url"]

    def get_queryset(self, request):
        return super().get_queryset(request).annotate(credit_count=Count("credits"))

    def get_urls(self):
        picture = self.admin_site.admin_view(self.picture_view)
        own = [path("<int:pk>/picture/", picture, name="episodes_person_picture")]
        return own + super().get_urls()

    def picture_view(self, request, pk):
        person = self.get_object(request, str(pk))
        allowed = person and self.has_view_permission(request, person)
        return send_picture(request, person if allowed else None)

    @admin.display(description="")
    def picture(self, person):
        return thumbnail(person)

    @admin.display(description="Credits", ordering="credit_count")
    def credit_count(self, person):
        return person.credit_count
