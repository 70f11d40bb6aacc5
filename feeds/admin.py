from django.contrib import admin, messages
from django.utils import timezone

from episodes.models import Show
from feeds import announce
from feeds.archives.admin import ShowArchiveAdmin
from feeds.models import Announcement, ImportedShow, ImportRun, ShowArchive
from feeds.moving_in.desk.moves import ImportedShowAdmin
from feeds.moving_in.desk.runs import ImportRunAdmin

admin.site.register(ShowArchive, ShowArchiveAdmin)
admin.site.register(ImportRun, ImportRunAdmin)
admin.site.register(ImportedShow, ImportedShowAdmin)


@admin.register(Announcement)
class AnnouncementAdmin(admin.ModelAdmin):
    """What hubs were told, and what they refused: to read, and to try again."""

    list_display = ["show", "hub", "announced_at", "attempts", "last_error"]
    list_filter = ["hub"]
    actions = ["try_again"]

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    @admin.action(description="Announce again", permissions=["view"])
    def try_again(self, request, queryset):
        queryset.update(announced="", claimed="", attempts=0, queued_until=None)
        now = timezone.now()
        for show in Show.objects.with_edition(now).filter(announcements__in=queryset).distinct():
            announce.queue(show, now)
        self.message_user(request, "Queued.", messages.SUCCESS)
