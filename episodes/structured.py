"""What search engines and link previews read: schema.org facts as JSON-LD.

PodcastEpisode, PodcastSeries and AudioObject are schema.org's types; the
properties are those that Google's and Bing's documentation name.
"""

import json

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from episodes.cards import card_path
from episodes.links import absolute, artwork_path
from episodes.models import Episode, Show, Site
from episodes.plain import rfc3339


def site_facts(site: Site) -> dict:
    """A WebSite that can be searched."""
    return {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": site.title,
        "url": absolute("/"),
        "potentialAction": {
            "@type": "SearchAction",
            "target": absolute(reverse("episodes:search")) + "?q={search_term_string}",
            "query-input": "required name=search_term_string",
        },
    }


def show_facts(show: Show) -> dict:
    """A PodcastSeries."""
    return _without_blanks(
        {
            "@context": "https://schema.org",
            "@type": "PodcastSeries",
            "name": show.title,
            "url": absolute(show.get_absolute_url()),
            "description": show.description,
            "inLanguage": show.language,
            "webFeed": absolute(show.get_feed_path()),
            "image": absolute(artwork_path(show, 1280, "jpg")) if show.artwork else "",
            "author": {"@type": "Organization", "name": show.author} if show.author else None,
        }
    )


def episode_facts(episode: Episode) -> dict:
    """A PodcastEpisode with its audio and its series."""
    show = episode.show
    page = absolute(episode.get_absolute_url())
    return _without_blanks(
        {
            "@context": "https://schema.org",
            "@type": "PodcastEpisode",
            "name": episode.title,
            "url": page,
            "description": episode.summary,
            "datePublished": rfc3339(episode.published_at) if episode.published_at else "",
            "inLanguage": show.language,
            "episodeNumber": episode.number,
            "image": absolute(card_path(episode)),
            "timeRequired": episode.duration_iso,
            "associatedMedia": {
                "@type": "AudioObject",
                "contentUrl": absolute(episode.get_audio_path()),
                "encodingFormat": episode.audio_type,
                "contentSize": str(episode.audio_bytes) if episode.audio_bytes else "",
                "duration": episode.duration_iso,
            }
            if episode.has_audio
            else None,
            "partOfSeries": {
                "@type": "PodcastSeries",
                "name": show.title,
                "url": absolute(show.get_absolute_url()),
                "webFeed": absolute(show.get_feed_path()),
            },
        }
    )


def json_ld(facts: dict) -> SafeString:
    """JSON that can stand in a script element whatever its texts hold (HTML §4.12.1.3)."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return mark_safe(text)


def _without_blanks(facts: dict) -> dict:
    return {
        key: _without_blanks(value) if isinstance(value, dict) else value
        for key, value in facts.items()
        if value not in ("", None)
    }
