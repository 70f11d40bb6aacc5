"""Who speaks in a show, said once: labels of its transcripts and the people they mean."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path
from django.views.decorators.http import require_http_methods

from episodes import speaking
from episodes.speaking import CannotName, Naming
from episodes.transcripts.encodings import without_forbidden

#: Three fields each; Django takes 2,000 at most.
LABELS_SHOWN = 500


class SpeakerViews(admin.ModelAdmin):
    """What ShowAdmin has for naming speakers."""

    def get_urls(self):
        view = require_http_methods(["GET", "HEAD", "POST"])(self.speakers_view)
        return [
            path(
                "<int:pk>/speakers/",
                self.admin_site.admin_view(view),
                name="episodes_show_speakers",
            ),
            *super().get_urls(),
        ]

    def speakers_view(self, request, pk):
        show = self.get_object(request, str(pk))
        if show is None:
            raise Http404
        if not self.has_view_permission(request, show):
            raise PermissionDenied
        may_change = self.has_change_permission(request, show) and request.user.has_perms(
            [f"episodes.{verb}_speakername" for verb in ("add", "change", "delete")]
        )
        typed: dict[str, str] = {}
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            namings = namings_of(request.POST)
            try:
                count = speaking.name_speakers(
                    show, namings, may_add=request.user.has_perm("episodes.add_person")
                )
            except CannotName as error:
                self.message_user(request, str(error), messages.ERROR)
                typed = {naming.label: naming.name for naming in namings}
            else:
                plural = "" if count == 1 else "s"
                said = f"{count} speaker{plural} named." if count else "Nothing was changed."
                self.message_user(request, said, messages.SUCCESS)
                if count:
                    self.log_change(request, show, said)
                return HttpResponseRedirect(request.path)
        heard = speaking.heard(show)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Speakers of {show}",
            "opts": self.opts,
            "show": show,
            "rows": [(row, typed.get(row.label, row.person)) for row in heard[:LABELS_SHOWN]],
            "more": max(0, len(heard) - LABELS_SHOWN),
            "people": speaking.people_of(show),
            "may_change": may_change,
        }
        return TemplateResponse(request, "admin/episodes/show/speakers.html", context)


def namings_of(data) -> list[Naming]:
    lists = [data.getlist(name) for name in ("label", "was", "name")]
    if len({len(values) for values in lists}) > 1:
        return []
    return [
        Naming(without_forbidden(label), was, " ".join(without_forbidden(name).split()))
        for label, was, name in zip(*lists, strict=True)
    ]
