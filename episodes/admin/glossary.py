"""The glossary at the desk: every correction shown before it is made, and runs taken back."""

import hashlib
import uuid

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from episodes import glossary_run
from episodes.correcting import CannotCorrect
from episodes.glossary_run import Offer, Settled
from episodes.models import Show, Transcript

#: One field each and one more for those that are checked: Django takes 2,000 at most.
OFFERS_SHOWN = 500

type Offers = list[tuple[Transcript, list[Offer]]]


class ShowGlossaryViews(admin.ModelAdmin):
    """What ShowAdmin has for running the glossary over every episode."""

    def get_urls(self):
        view = require_http_methods(["GET", "HEAD", "POST"])(self.glossary_view)
        return [
            path(
                "<int:pk>/glossary/",
                self.admin_site.admin_view(view),
                name="episodes_show_glossary",
            ),
            *super().get_urls(),
        ]

    def glossary_view(self, request, pk):
        show = self.get_object(request, str(pk))
        if show is None:
            raise Http404
        if not self.has_view_permission(request, show):
            raise PermissionDenied
        may_change = self.has_change_permission(request, show) and request.user.has_perm(
            "episodes.change_transcript"
        )
        found = list(glossary_run.offers_of_show(show))
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            undoing = "undo_run" in request.POST
            said = undo(request, show) if undoing else settle(request, show, found)
            self.log_change(request, show, said)
            return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Glossary of {show}",
            "opts": self.opts,
            "show": show,
            "terms": show.glossary.all(),
            "terms_address": reverse("admin:episodes_show_change", args=[show.pk]),
            "may_change": may_change,
            "runs": glossary_run.runs_of(show),
            "whole_show": True,
            **shown(found),
        }
        return TemplateResponse(request, "admin/episodes/glossary.html", context)


def shown(found: Offers) -> dict:
    """The first offers with their transcripts, and how many there are in all."""
    groups, left = [], OFFERS_SHOWN
    for transcript, offers in found:
        if left > 0:
            groups.append((transcript, offers[:left]))
        left -= len(offers)
    count = sum(len(offers) for _, offers in found)
    return {
        "groups": groups,
        "count": count,
        "shown": min(count, OFFERS_SHOWN),
        "transcript_count": len(found),
        "seen": digest(found),
    }


def digest(found: Offers) -> str:
    """Names all that is offered, so that "all" means what was counted on the page."""
    keys = "\n".join(offer.key for _, offers in found for offer in offers)
    return hashlib.sha256(keys.encode()).hexdigest()[:16]


def settle(request, show: Show, found: Offers) -> str:
    """Do what the form asks for, transcript by transcript; says what was done.

    `offered` are the keys that were on the page, `take` those that were checked. With
    `reject` the others are never offered again; with `all` every offer is made.
    """
    post = request.POST
    if "all" in post:
        if post.get("seen") != digest(found):
            said = "The transcripts or the glossary have changed since. Look through them again."
            messages.error(request, said)
            return said
        take = {offer.key for _, offers in found for offer in offers}
        decline: set[str] = set()
    else:
        take = set(post.getlist("take"))
        decline = set(post.getlist("offered")) - take if "reject" in post else set()
    run, total, touched = uuid.uuid4(), Settled(), 0
    terms = glossary_run.terms_of(show)
    for transcript, offers in found:
        own = {offer.key for offer in offers}
        if not own & (take | decline):
            continue
        try:
            done = glossary_run.settle(transcript, terms, run, own & take, own & decline)
        except CannotCorrect as error:
            messages.error(request, f"{transcript.episode}: {error}")
            continue
        total += done
        touched += bool(done.made)
    offered = {offer.key for _, offers in found for offer in offers}
    gone = total.gone + len((take | decline) - offered)
    return tell(request, total, touched, gone)


def tell(request, total: Settled, touched: int, gone: int) -> str:
    said = f"{of(total.made, 'correction')} made in {of(touched, 'transcript')}"
    if total.declined:
        said += f", {total.declined} rejected"
    messages.success(request, f"{said}.")
    if gone:
        messages.warning(
            request, f"{gone} left alone: somebody changed the words meanwhile. Look again."
        )
    return f"Glossary: {said}."


def undo(request, show: Show) -> str:
    try:
        run = uuid.UUID(request.POST["undo_run"])
    except ValueError:
        messages.error(request, "There is no such run.")
        return "Glossary: nothing taken back."
    back = glossary_run.undo_run(show, run)
    said = f"{of(back.count, 'correction')} of the run taken back"
    messages.success(request, f"{said}.")
    if back.left:
        # Few and short: messages travel in a cookie.
        places = [f"{row.transcript.episode} ({row.note})"[:120] for row in back.left[:5]]
        more = f" and {len(back.left) - 5} more" if len(back.left) > 5 else ""
        messages.warning(
            request,
            "Not taken back, for the same place was changed again since: "
            f"{'; '.join(places)}{more}.",
        )
    return f"Glossary: {said}."


def of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def review(request, model_admin, transcript: Transcript, may_change: bool):
    """The same for one transcript: what follows an upload."""
    show = transcript.episode.show
    offers = glossary_run.offers(transcript, glossary_run.terms_of(show))
    found: Offers = [(transcript, offers)] if offers else []
    mend = reverse("admin:episodes_episode_mend", args=[transcript.episode_id, transcript.pk])
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied
        model_admin.log_change(request, transcript.episode, settle(request, show, found))
        return HttpResponseRedirect(mend)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": f"Glossary on {transcript.episode}",
        "opts": model_admin.opts,
        "show": show,
        "episode": transcript.episode,
        "mend_address": mend,
        "terms": show.glossary.all(),
        "terms_address": reverse("admin:episodes_show_change", args=[show.pk]),
        "may_change": may_change,
        **shown(found),
    }
    return TemplateResponse(request, "admin/episodes/glossary.html", context)


def tell_offers(request, transcript: Transcript) -> None:
    """Say what the glossary proposes for a transcript that has just come in."""
    offers = glossary_run.offers(transcript, glossary_run.terms_of(transcript.episode.show))
    if offers:
        message = format_html(
            'The glossary proposes {} in the new transcript. <a href="{}">Look through them</a>.',
            of(len(offers), "correction"),
            reverse("admin:episodes_episode_glossary", args=[transcript.episode_id, transcript.pk]),
        )
        messages.warning(request, message)
