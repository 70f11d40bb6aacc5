"""What the text of a field has to be, for models of every kind."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator

from episodes.slugs import RESERVED_SHOW_SLUGS

http_url = URLValidator(schemes=["http", "https"])
slug_shape = RegexValidator(
    r"^[a-z0-9]+(?:-[a-z0-9]+)*\Z", "Use lower-case letters, digits and single hyphens."
)
language_code = RegexValidator(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z",
    "Use a language code such as en, en-US or zh-Hant.",
)


def validate_bytes_4000(text: str) -> None:
    """Apple and PSP-1 count the 4,000 of a description in bytes of UTF-8."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > 4000:
        raise ValidationError(
            "Too long: %(size)d bytes, and directories take at most 4,000 "
            "(letters outside ASCII count two to four).",
            params={"size": size},
        )


def validate_show_slug(slug: str) -> None:
    if slug in RESERVED_SHOW_SLUGS:
        raise ValidationError(
            "The address /%(slug)s/ belongs to the site itself. Choose another slug.",
            params={"slug": slug},
        )
