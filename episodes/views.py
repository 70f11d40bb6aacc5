"""What listeners see: home, show, episode and transcript, as pages and as plain text."""

import sys

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache

from episodes.chapters import MEDIA_TYPE as CHAPTERS_TYPE
from episodes.chapters import chapters_json_bytes
from episodes.delivery import permanently
from episodes.freshness import answer, open_to_all
from episodes.methods import read_only
from episodes.models import Credit, Episode, Show, Site, SpeakerName, main_first
from episodes.notes import paragraphs
from episodes.plain import episode_text as plain_text
from episodes.room import is_full
from episodes.storage import IMMUTABLE
from episodes.transcripts.reading import said
from episodes.visibility import for_episode, for_show

EPISODES_PER_PAGE = 50
NEWEST_ON_HOME = 12
SUBSCRIBE_LINKS = 12


@read_only
def home(request):
    now = timezone.now()
    site = Site.current()

    def page():
        newest = Episode.objects.public(now).newest_first().for_lists()[:NEWEST_ON_HOME]
        shows = Show.objects.public().with_live_counts(now)
        context = {
            "site": site,
            "site_title": site.title,
            "shows": shows.order_by("-newest_at", "title"),
            "episodes": newest,
        }
        return render(request, "home.html", context)

    return answer(request, site.edition(now), now, page)


def page_number(request) -> int:
    """`?page=n`, n ≥ 1. Raises Http404 for anything else."""
    text = request.GET.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0):
        raise Http404
    return int(text)


@for_show
def show(request, show, now):
    number = page_number(request)
    if number == 1 and "page" in request.GET:
        return permanently(show.get_absolute_url())
    rows = Episode.objects.public(now).filter(show=show)
    count = rows.count()
    paginator = Paginator(range(count), EPISODES_PER_PAGE)
    if number > paginator.num_pages:
        raise Http404

    def page():
        listed = rows.oldest_first() if show.type == Show.Type.SERIAL else rows.newest_first()
        start = (number - 1) * EPISODES_PER_PAGE
        episodes = list(listed.for_lists()[start : start + EPISODES_PER_PAGE])
        for episode in episodes:
            episode.show = show
        context = {
            "site_title": show.site_title,
            "show": show,
            "episodes": episodes,
            "count": count,
            "page": paginator.page(number),
            "links": show.directory_links.all()[:SUBSCRIBE_LINKS],
            "funding": show.funding_set.all(),
            "credits": show.credits.select_related("person"),
        }
        return render(request, "show.html", context)

    return answer(request, show.edition(), now, page)


def episode_context(episode: Episode, now) -> dict:
    """What the episode page shows. At most six queries."""
    transcripts = list(episode.transcripts.defer("original"))
    chosen = next(
        (row for row in transcripts if row.language == episode.show.language),
        transcripts[0] if transcripts else None,
    )
    credits = (
        Credit.objects.filter(Q(episode=episode) | Q(show=episode.show_id))
        .select_related("person")
        .order_by("episode_id", "position", "pk")
    )
    return {
        "site_title": getattr(episode.show, "site_title", ""),
        "show": episode.show,
        "episode": episode,
        "overview": paragraphs(episode.notes_html),
        "transcript": chosen,
        "transcripts": transcripts,
        "excerpt": chosen.excerpt() if chosen else (),
        "chapters": [row for row in episode.chapters.all() if not row.hidden],
        "credits": distinct_people(credits),
        "nearby": Episode.objects.public(now).for_lists().nearby(episode)
        if episode.published_at
        else [],
    }


def distinct_people(credits) -> list[Credit]:
    """The episode's own people first; a host of the show who is named there appears once."""
    seen: set[tuple[int, str]] = set()
    own = [row for row in credits if row.episode_id]
    distinct = []
    for row in own + [row for row in credits if not row.episode_id]:
        if (row.person_id, row.role) not in seen:
            seen.add((row.person_id, row.role))
            distinct.append(row)
    return distinct


@for_episode
def episode(request, episode, now):
    def page():
        return render(request, "episode.html", episode_context(episode, now))

    return answer(request, episode.show.edition(), now, page)


@for_episode
def episode_text(request, episode, now):
    def text():
        context = episode_context(episode, now)
        body = plain_text(
            show=episode.show.title,
            title=episode.title,
            summary=episode.summary,
            duration=episode.duration_iso,
            overview=context["overview"],
            published=episode.published_at,
            excerpt=context["excerpt"],
            nearby=[row.title for row in context["nearby"]],
        )
        return HttpResponse(body, content_type="text/plain; charset=utf-8")

    return open_to_all(answer(request, episode.show.edition(), now, text))


def transcript_in(episode: Episode, language: str | None):
    """The episode's transcript in `language`, or its main one, and all of them, main first.

    Raises Http404 without one.
    """
    rows = main_first(episode.transcripts.light(), episode.show.language)
    for row in rows:
        row.episode = episode
        if language is None or row.language.lower() == language.lower():
            return row, rows
    raise Http404


@for_episode
def transcript(request, episode, now):
    row, rows = transcript_in(episode, request.GET.get("lang") or None)

    def page():
        row.refresh_from_db(fields=["cues", "text"])
        main, names = row is rows[0], SpeakerName.objects.of(episode.show)
        context = {
            "site_title": episode.show.site_title,
            "show": episode.show,
            "episode": episode,
            "transcript": row,
            "address": row.page_path(episode, main=main),
            "languages": [
                {
                    "language": other.language,
                    "name": language_name(other.language),
                    "address": other.page_path(episode, main=other is rows[0]),
                }
                for other in rows
            ],
            "formats": row.file_paths(episode, names, main=main).items(),
            "paragraphs": said(row.paragraphs(names)),
        }
        return render(request, "transcript.html", context)

    return answer(request, episode.show.edition(), now, page)


def language_name(code: str) -> str:
    """What a language calls itself, or its code where Django does not know it."""
    try:
        return translation.get_language_info(code)["name_local"]
    except KeyError:
        return code


#: A version's bytes never change; shared caches ask all the same, so that what is withdrawn goes.
VERSIONED = f"{IMMUTABLE}, s-maxage={{shared}}"


@for_episode
def transcript_file(request, episode, now, extension, language=None):
    row, _ = transcript_in(episode, language)
    if extension not in row.formats():
        raise Http404
    names = SpeakerName.objects.of(episode.show)

    def file():
        row.refresh_from_db(fields=["cues", "text"])
        body, media_type = row.write(extension, names)
        charset = "; charset=utf-8" if media_type.startswith("text/") else ""
        return HttpResponse(body, content_type=media_type + charset)

    asked, edition = request.GET.get("v"), episode.show.edition()
    if asked and asked == row.public_version(names):
        return open_to_all(answer(request, edition, now, file, VERSIONED))
    return open_to_all(answer(request, edition, now, file))


@for_episode
def chapters(request, episode, now):
    rows = list(episode.chapters.all())
    if not rows:
        raise Http404

    def file():
        body = chapters_json_bytes([row.record() for row in rows], title=episode.title)
        return HttpResponse(body, content_type=CHAPTERS_TYPE)

    return open_to_all(answer(request, episode.show.edition(), now, file))


@read_only
def favicon(request):
    """What browsers and feed readers ask for where a document names no icon, as a feed does."""
    return permanently(static("favicon.svg"))


@read_only
@never_cache
def healthz(request):
    """200 when the database answers; what a load balancer asks."""
    Show.objects.exists()
    return JsonResponse({"status": "ok"})


def not_found(request, exception=None):
    """Our 404: the same for what never existed and for what may not be seen."""
    response = render(request, "404.html", {"site_title": "Podcasts"}, status=404)
    response["Cache-Control"] = "no-store"
    return response


def server_error(request):
    """Our 500, and a 507 when it is that the disk is full."""
    full = is_full(sys.exc_info()[1])
    response = render(request, "500.html", {"full": full}, status=507 if full else 500)
    response["Cache-Control"] = "no-store"
    return response
