"""Where the bytes are: audio and artwork, decided here and sent by whoever stands in front.

The view decides access and answers with an internal `X-Accel-Redirect`, which
our own front and nginx both honour, or with a redirect to object storage. The
public never sees a storage path.
"""

import logging
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.utils import timezone
from django.utils.http import http_date

from episodes import artwork_files, cards
from episodes.file_names import disposition, recording_name
from episodes.freshness import open_to_all
from episodes.links import artwork_path, artwork_version
from episodes.methods import read_only
from episodes.models import Chapter, Episode, Person, Show
from episodes.storage import IMMUTABLE

logger = logging.getLogger(__name__)

#: The address below which the front (or nginx) finds MEDIA_ROOT. Never public.
INTERNAL = "/_protected/"

#: Nothing in a stored file may run, whatever a browser makes of it.
SANDBOX = "default-src 'none'; sandbox"


def send_file(
    name: str, media_type: str, etag: str, modified=None, filename="", method="GET"
) -> HttpResponse:
    """A response whose body is the stored file `name`, by the way the storage has.

    On a local disk the front sends it with ranges and preconditions. A storage
    with addresses of its own (S3, a CDN) is redirected to, with an address that `method` may ask.
    """
    if settings.MEDIA_REDIRECT:
        return open_to_all(redirected(name, media_type, filename, method))
    response = HttpResponse(content_type=media_type)
    response["X-Accel-Redirect"] = INTERNAL + quote(name)
    response["X-Accel-Expires"] = "1"
    response["ETag"] = f'"{etag}"'
    if modified:
        response["Last-Modified"] = http_date(modified.timestamp())
    response["Cache-Control"] = IMMUTABLE
    response["Content-Security-Policy"] = SANDBOX
    if filename:
        response["Content-Disposition"] = disposition(filename)
    return open_to_all(response)


def redirected(name: str, media_type: str, filename: str, method: str) -> HttpResponse:
    """To where the bytes are: a public address, or one that is signed for an hour."""
    if settings.MEDIA_PUBLIC_URL:
        response = HttpResponseRedirect(default_storage.url(name))
        response["Cache-Control"] = "public, max-age=60, s-maxage=1"
        return response
    parameters = {"ResponseContentType": media_type}
    if filename:
        parameters["ResponseContentDisposition"] = disposition(filename)
    # The signature covers the method: one for GET is refused to HEAD.
    response = HttpResponseRedirect(
        default_storage.url(name, parameters=parameters, http_method=method)
    )
    # A player asks the same address for range after range; the signature outlives this.
    response["Cache-Control"] = "private, max-age=300"
    return response


def permanently(path: str, request=None) -> HttpResponse:
    query = request.META.get("QUERY_STRING") if request else ""
    response = HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)
    response["Cache-Control"] = "public, max-age=3600, s-maxage=1"
    return open_to_all(response)


def meanwhile(path: str) -> HttpResponse:
    """To the picture as it is, while there is no room or store to keep a smaller one."""
    response = HttpResponseRedirect(path)
    response["Cache-Control"] = "no-store"
    return open_to_all(response)


def elsewhere(url: str) -> HttpResponse:
    """To another host for now: the audio may be copied here later."""
    response = HttpResponseRedirect(url)
    response["Cache-Control"] = "public, max-age=60, s-maxage=1"
    return open_to_all(response)


@read_only
def audio(request, uid, version, slug, extension):
    """The enclosure. Any older version, slug or extension redirects to the present one."""
    now = timezone.now()
    episode = Episode.objects.public(now).select_related("show").filter(uid=uid).first()
    if episode is None or not episode.has_audio:
        raise Http404
    if episode.audio_url:
        return elsewhere(episode.audio_url)
    here = (episode.audio_version, episode.slug, episode.audio_extension)
    if (version, slug, extension) != here:
        return permanently(episode.get_audio_path())
    return send_file(
        episode.audio.name,
        episode.audio_type,
        etag=episode.audio_sha256[:32],
        modified=episode.audio_at,
        filename=recording_name(episode.show.title, episode.title, extension),
        method=request.method,
    )


def public_owner(kind: str, uid, version: str, now):
    """The show, episode, person or chapter whose artwork may be seen, or None.

    One query. A chapter has no name of its own in addresses: `uid` is its episode's, and
    `version` tells which picture of the episode's chapters it is.
    """
    match kind:
        case "show":
            return Show.objects.public().filter(uid=uid).first()
        case "episode":
            return Episode.objects.public(now).select_related("show").filter(uid=uid).first()
        case "person":
            return Person.objects.credited(now).filter(uid=uid).first()
        case "chapter":
            episodes = Episode.objects.public(now).filter(uid=uid)
            rows = Chapter.objects.filter(image__startswith=f"artwork/{uid}/{version}.")
            return rows.filter(episode__in=episodes).select_related("episode").first()
    return None


@read_only
def artwork(request, kind, uid, version, size, extension):
    """The picture of a show, episode, chapter or person in one of the sizes that pages use."""
    owner = public_owner(kind, uid, version, timezone.now())
    if size == cards.CARD:
        return card(owner, version, request.method)
    name = artwork_files.name_of(owner) if owner else ""
    if not name:
        raise Http404
    if version != artwork_version(owner):
        return permanently(artwork_path(owner, size, extension))
    try:
        derived = artwork_files.derivative(name, size, extension)
    except OSError:
        logger.exception("no picture of %s pixels could be made of %s", size, name)
        return meanwhile(artwork_path(owner, artwork_files.FULL, name.rpartition(".")[2]))
    if derived is None:
        raise Http404
    return send_file(
        derived,
        {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}[extension],
        etag=f"{version}-{size}-{extension}",
        method=request.method,
    )


def card(episode, version, method) -> HttpResponse:
    """The picture for shared links, of an episode only."""
    if not isinstance(episode, Episode):
        raise Http404
    if version != cards.card_version(episode):
        return permanently(cards.card_path(episode))
    try:
        drawn = cards.card_of(episode)
    except OSError:
        logger.exception("no card could be drawn for %s", episode.pk)
        owner = episode if episode.artwork else episode.show
        if not owner.artwork:
            raise
        ending = owner.artwork.name.rpartition(".")[2]
        return meanwhile(artwork_path(owner, artwork_files.FULL, ending))
    return send_file(drawn, "image/jpeg", etag=f"{version}-card", method=method)
