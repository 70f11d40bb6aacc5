"""Actions of the episodes' list: publish, schedule, withdraw."""

from datetime import timedelta

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.template.response import TemplateResponse
from django.utils import timezone

from episodes.admin.forms import ScheduleForm
from episodes.admin.tags import WritesTags


class LetsGo(WritesTags):
    """What EpisodeAdmin does to many episodes at once; each by itself, in its own transaction."""

    @admin.action(description="Publish now", permissions=["change"])
    def publish_now(self, request, queryset):
        now = timezone.now()
        self.write_first(request, queryset)
        self.carry_out(request, queryset, lambda episode: episode.publish(now), "published")

    @admin.action(description="Withdraw (back to draft)", permissions=["change"])
    def withdraw(self, request, queryset):
        self.carry_out(request, queryset, lambda episode: episode.withdraw(), "withdrawn")

    @admin.action(description="Schedule…", permissions=["change"])
    def schedule(self, request, queryset):
        form = ScheduleForm(request.POST if "at_0" in request.POST else None)
        if form.is_valid():
            at, step = form.cleaned_data["at"], timedelta(days=form.cleaned_data["every"] or 0)
            moments = iter(at + step * index for index in range(queryset.count()))

            def set_date(episode):
                if episode.is_public(timezone.now()):
                    raise ValidationError(f"“{episode}” is live already; withdraw it first.")
                episode.published_at = None
                episode.publish(next(moments))

            ordered = queryset.order_by("number", "created_at", "pk")
            self.write_first(request, ordered)
            self.carry_out(request, ordered, set_date, "scheduled")
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": "Schedule episodes",
            "opts": self.opts,
            "form": form,
            "episodes": queryset.order_by("number", "created_at", "pk"),
            "selected": request.POST.getlist("_selected_action"),
        }
        return TemplateResponse(request, "admin/episodes/episode/schedule.html", context)

    def carry_out(self, request, queryset, change, done: str) -> None:
        """Change each episode by itself: what is refused is said, the others go through."""
        count = 0
        for episode in queryset.select_related("show"):
            try:
                with transaction.atomic():
                    change(episode)
                    episode.save()
                    self.log_change(request, episode, f"{done.capitalize()} from the list.")
                count += 1
            except ValidationError as error:
                self.message_user(request, " ".join(error.messages), messages.ERROR)
        if count:
            plural = "" if count == 1 else "s"
            self.message_user(request, f"{count} episode{plural} {done}.", messages.SUCCESS)
