"""Tags into recordings, from the desk: before an episode goes out, and when asked (tagging.py)."""

from dataclasses import dataclass

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from episodes import tagging
from episodes.models import Episode


@dataclass
class Due:
    """An episode whose tags are to be written once its form is saved; then it is published."""

    pk: int
    publish: bool


class WritesTags(admin.ModelAdmin):
    """What EpisodeAdmin has for tags.

    Writing them takes as long as a recording is large, so it happens when the form's transaction
    is over. What the form would make public stays a draft for these seconds: listeners are
    offered one version of the recording, never two.
    """

    def save_model(self, request, obj, form, change):
        now = timezone.now()
        stored = Episode.objects.select_related("show").filter(pk=obj.pk).first()
        was_public = bool(stored and stored.is_public(now))
        new_recording = bool(getattr(form, "filled", None))
        due = tagging.is_due(obj, was_public=was_public, new_recording=new_recording)
        publish = due and not was_public and obj.is_public(now)
        if publish:
            obj.status = Episode.Status.DRAFT
        super().save_model(request, obj, form, change)
        request.tags_due = Due(obj.pk, publish) if due else None

    def changeform_view(self, request, *args, **kwargs):
        response = super().changeform_view(request, *args, **kwargs)
        due = getattr(request, "tags_due", None)
        if due:
            try:
                self.write_one(request, Episode.objects.select_related("show").get(pk=due.pk))
            finally:
                if due.publish:
                    _publish(due.pk)
        return response

    def write_first(self, request, queryset: QuerySet) -> None:
        """For actions that let episodes go: their tags, while they are drafts still."""
        now = timezone.now()
        for episode in queryset.select_related("show"):
            was_public = episode.is_public(now)
            episode.status = Episode.Status.PUBLISHED
            if tagging.is_due(episode, was_public=was_public, new_recording=False):
                self.write_one(request, episode)

    @admin.action(description="Write tags into the recording again", permissions=["change"])
    def write_tags(self, request, queryset):
        count = 0
        for episode in queryset.select_related("show"):
            if not episode.show.write_tags:
                text = f"“{episode.show}” does not write tags. Its form has a box for that."
                self.message_user(request, text, messages.ERROR)
            elif not episode.audio:
                text = f"“{episode}” has no recording here."
                self.message_user(request, text, messages.ERROR)
            elif self.write_one(request, episode):
                self.log_change(request, episode, "Wrote tags into the recording.")
                count += 1
            elif tagging.are_current(episode):
                self.message_user(request, f"The tags of “{episode}” are up to date.")
        if count:
            plural = "" if count == 1 else "s"
            self.message_user(request, f"{count} recording{plural} with new tags.")

    def write_one(self, request, episode: Episode) -> bool:
        outcome = tagging.write_tags(episode)
        if outcome.reason:
            text = f"No tags were written into the recording of “{episode}”: {outcome.reason}"
            self.message_user(request, text.rstrip(".") + ".", messages.WARNING)
        return outcome.written

    def tags_in_words(self, episode: Episode) -> str:
        """For the form: what of the episode its recording says."""
        if not (episode.show.write_tags and episode.audio):
            return ""
        if not episode.tags_written:
            return "Tags are written when the episode goes out."
        if tagging.are_current(episode):
            return "Its tags are what you see here."
        return (
            "Its tags are older than what you see here. “Write tags into the recording again”, "
            "among the actions of the list, makes a new version of the file."
        )


def _publish(pk: int) -> None:
    with transaction.atomic():
        episode = Episode.objects.select_for_update().get(pk=pk)
        episode.status = Episode.Status.PUBLISHED
        episode.save()
