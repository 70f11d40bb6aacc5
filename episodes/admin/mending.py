"""Mending a transcript: its cues, a hundred to a page, with the audio at hand."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from episodes import correcting
from episodes.admin import glossary
from episodes.models import Episode, Transcript
from episodes.transcripts import Cue
from episodes.transcripts.clock import parse_clock
from episodes.transcripts.edits import Act, Edit, Stale, find, plan, token
from episodes.transcripts.mending import CannotMend

CUES_PER_PAGE = 100
CORRECTIONS_SHOWN = 50


@dataclass(slots=True)
class Row:
    """A cue on the page: what the editor typed, if that was not saved, else what is stored."""

    index: int
    cue: Cue
    token: str
    speaker: str
    text: str
    stored: Cue | None = None  # what somebody else made of it meanwhile


class MendingViews(admin.ModelAdmin):
    """What EpisodeAdmin has for mending transcripts."""

    def get_urls(self):
        mend = require_http_methods(["GET", "HEAD", "POST"])(self.mend_view)
        review = require_http_methods(["GET", "HEAD", "POST"])(self.review_view)
        return [
            path(
                "<int:pk>/transcript/<int:transcript>/",
                self.admin_site.admin_view(mend),
                name="episodes_episode_mend",
            ),
            path(
                "<int:pk>/transcript/<int:transcript>/glossary/",
                self.admin_site.admin_view(review),
                name="episodes_episode_glossary",
            ),
            *super().get_urls(),
        ]

    def transcript_of(self, request, pk: int, transcript: int) -> tuple[Transcript, bool]:
        """The transcript, if its episode may be seen, and whether it may be changed."""
        episode: Episode | None = self.get_object(request, str(pk))
        row = Transcript.objects.filter(episode_id=pk, pk=transcript).first() if episode else None
        if episode is None or row is None:
            raise Http404
        if not self.has_view_permission(request, episode):
            raise PermissionDenied
        row.episode = episode
        may_change = self.has_change_permission(request, episode) and request.user.has_perm(
            "episodes.change_transcript"
        )
        return row, may_change

    def review_view(self, request, pk, transcript):
        row, may_change = self.transcript_of(request, pk, transcript)
        return glossary.review(request, self, row, may_change)

    def mend_view(self, request, pk, transcript):
        row, may_change = self.transcript_of(request, pk, transcript)
        edits: list[Edit] = []
        stale: tuple[Edit, ...] = ()
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            try:
                edits = edits_of(request.POST)
                return self.mend(request, row, edits)
            except Stale as error:
                stale = error.edits
                self.message_user(request, stale_message(stale), messages.ERROR)
            except (CannotMend, correcting.CannotCorrect) as error:
                self.message_user(request, str(error), messages.ERROR)
            row.refresh_from_db()
        lines = row.lines()
        page, query = page_of(request, lines)
        rows, orphans = rows_of(lines, page.object_list, edits, stale)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Transcript of {row.episode}",
            "opts": self.opts,
            "episode": row.episode,
            "transcript": row,
            "audio_path": audio_path(row.episode),
            "page": page,
            "pages": page.paginator.get_elided_page_range(page.number, on_ends=1),
            "query": query,
            "rows": rows,
            "orphans": orphans,
            "count": len(lines),
            "speakers": sorted({line.speaker for line in lines} - {""}),
            "may_change": may_change,
            "corrections": row.corrections.filter(undone_at=None)[:CORRECTIONS_SHOWN],
            "correction_count": row.corrections.filter(undone_at=None).count(),
        }
        response = TemplateResponse(request, "admin/episodes/episode/mend.html", context)
        response["Cache-Control"] = "private, no-store"
        return response

    def mend(self, request, row: Transcript, edits: list[Edit]):
        """Save, join, split or take back; answers with where to go on."""
        place = ""
        if "undo" in request.POST:
            number = request.POST["undo"]
            known = row.corrections.filter(pk=number) if number.isdecimal() else None
            correction = known.first() if known is not None else None
            if correction is None:
                raise correcting.CannotCorrect("There is no such correction.")
            correcting.undo(correction)
            done = f"Taken back: {correction.note.lower()}."
        else:
            count = correcting.correct(row, lambda lines: plan(lines, edits))
            changed = [edit.index for edit in edits if edit.asks]
            place = f"#cue-{min(changed)}" if changed else ""
            plural = "" if count == 1 else "s"
            done = f"{count} correction{plural} saved." if count else "Nothing was changed."
        self.message_user(request, done, messages.SUCCESS)
        self.log_change(request, row.episode, f"Transcript ({row.language}): {done}")
        keep = {name: request.GET[name] for name in ("page", "q") if name in request.GET}
        query = f"?{urlencode(keep)}" if keep else ""
        return HttpResponseRedirect(f"{request.path}{query}{place}")


def edits_of(data) -> list[Edit]:
    acts = {data.get("join"): Act.JOIN, data.get("split"): Act.SPLIT}
    lists = [data.getlist(name) for name in ("token", "speaker", "text")]
    if len({len(values) for values in lists}) > 1:
        raise CannotMend("The page came back incomplete. Load it again.")
    return [
        Edit(token, speaker, text, acts.get(token, Act.SAVE))
        for token, speaker, text in zip(*lists, strict=True)
    ]


def stale_message(edits) -> str:
    what = "A cue was" if len(edits) == 1 else f"{len(edits)} cues were"
    return (
        f"{what} changed by somebody else while you were editing. Nothing was saved. Your words "
        "are still below, with what is stored now: save again to put yours in its place."
    )


def page_of(request, lines):
    """The page of indexes asked for: all, those that have words, or from a time on."""
    query = request.GET.get("q", "").strip()
    number = request.GET.get("page", "1")
    at = parse_clock(query) if query else None
    indexes = list(range(len(lines)))
    if at is not None:
        before = sum(1 for line in lines if line.start_ms <= at)
        number = str(max(before - 1, 0) // CUES_PER_PAGE + 1)
    elif query:
        wanted = query.casefold()
        indexes = [
            index
            for index in indexes
            if wanted in lines[index].text.casefold() or wanted in lines[index].speaker.casefold()
        ]
    return Paginator(indexes, CUES_PER_PAGE).get_page(number), query


def rows_of(lines, indexes, edits, stale) -> tuple[list[Row], list[Edit]]:
    """The page's rows with what was typed, and edits of cues that are not on it any more."""
    typed: dict[int, Edit] = {}
    orphans = []
    starts = {line.start_ms: index for index, line in enumerate(lines) if line.end_ms}
    for edit in edits:
        if not edit.asks:
            continue
        index = find(lines, edit)
        if index is None:
            index = starts.get(edit.start_ms) if starts else edit.index
        if index is not None and index in indexes:
            typed[index] = edit
        else:
            orphans.append(edit)
    rows = []
    for index in indexes:
        line, edit = lines[index], typed.get(index)
        rows.append(
            Row(
                index,
                line,
                token(index, line),
                edit.speaker if edit else line.speaker,
                edit.text if edit else line.text,
                line if edit in stale else None,
            )
        )
    return rows, orphans


def audio_path(episode: Episode) -> str:
    """Where an editor hears the recording, also of a draft; '' without one."""
    if episode.audio:
        return reverse("admin:episodes_episode_recording", args=[episode.pk])
    return episode.audio_url
