"""Those a feed names as the people of a show or an episode, as rows."""

from episodes.models import Credit, Episode, Person, Show
from feeds import parts


def credit(owner: Show | Episode, persons: tuple[parts.Person, ...]) -> None:
    """Makes these the people of a show or episode. A person is found by name and page."""
    if owner.credits.exists():
        owner.credits.all().delete()
    if not persons:
        return
    name = owner._meta.model_name or ""
    Credit.objects.bulk_create(
        Credit(
            person=person_row(each),
            role=each.role,
            group=each.group,
            position=position,
            **{name: owner},
        )
        for position, each in enumerate(persons)
    )


def person_row(part: parts.Person) -> Person:
    """The person of that name and page; one known by name alone gets the page."""
    same = [
        row for row in Person.objects.filter(name=part.name).order_by("pk")
        if row.url == part.href or not row.url or not part.href
    ]  # fmt: skip
    same.sort(key=lambda row: row.url != part.href)
    if not same:
        return Person.objects.create(name=part.name, url=part.href, picture_url=part.img)
    row = same[0]
    missing = (part.href and not row.url) or (part.img and not row.picture_url and not row.picture)
    if missing:
        row.url, row.picture_url = row.url or part.href, row.picture_url or part.img
        row.save()
    return row
