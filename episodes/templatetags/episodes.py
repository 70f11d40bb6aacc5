"""What templates need of the domain: durations, moments, artwork, absolute addresses."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from episodes import cards, durations, links, plain, structured
from episodes.models import Episode

register = template.Library()

register.filter("human_duration", durations.human)
register.filter("iso_duration", durations.iso8601)
register.filter("clock", durations.clock)
register.filter("rfc3339", plain.rfc3339)
register.filter("absolute", links.absolute)

register.filter("card_path", cards.card_path)
register.filter("json_ld", structured.json_ld)
register.filter("episode_facts", structured.episode_facts)
register.filter("site_facts", structured.site_facts)
register.filter("show_facts", structured.show_facts)


@register.filter
def marked(segments) -> SafeString:
    """Text in segments, each with whether it was looked for: that is in `<mark>`."""
    before, after = mark_safe("<mark>"), mark_safe("</mark>")
    pieces = ((before, text, after) if hit else ("", text, "") for text, hit in segments)
    return format_html_join("", "{}{}{}", pieces)


_RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"}


@register.filter
def text_direction(language: str) -> str:
    """`rtl` or `ltr` for a language code."""
    return "rtl" if (language or "").partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"


@register.filter
def playable_type(media_type: str) -> str:
    """The type a browser knows: Apple's name for M4A is its own."""
    return {"audio/x-m4a": "audio/mp4", "audio/m4a": "audio/mp4"}.get(media_type, media_type)


@register.simple_tag
def artwork_address(owner, size: int) -> str:
    """The absolute address of the artwork as JPEG."""
    return links.absolute(links.artwork_path(owner, size, "jpg"))


@register.simple_tag
def chapter_picture(chapter, size: int) -> SafeString | str:
    """The picture of a chapter, `size` CSS pixels wide and high; nothing where it has none here."""
    if not chapter.image:
        return ""
    return format_html(
        '<img class="chapter-picture" src="{}" srcset="{} 2x" width="{}" height="{}" alt="" '
        'loading="lazy" decoding="async">',
        links.artwork_path(chapter, size * 2, "jpg"),
        links.artwork_path(chapter, size * 4, "jpg"),
        size,
        size,
    )


@register.inclusion_tag("includes/artwork.html")
def artwork(owner, size: int, decorative: bool = False, loading: str = "lazy"):
    """The artwork of a show or an episode at `size` CSS pixels, sharp on dense screens."""
    if isinstance(owner, Episode) and not owner.artwork:
        owner = owner.show
    context = {
        "size": size,
        "loading": loading,
        "alt": "" if decorative else owner.artwork_alt or f"Artwork of {owner.title}",
        "initials": "".join(word[0] for word in owner.title.split()[:2]).upper(),
    }
    if owner.artwork:
        context |= {
            "jpeg": links.artwork_path(owner, size, "jpg"),
            "jpeg_2x": links.artwork_path(owner, size * 2, "jpg"),
            "webp": links.artwork_path(owner, size, "webp"),
            "webp_2x": links.artwork_path(owner, size * 2, "webp"),
        }
    return context
