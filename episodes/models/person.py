"""Person: somebody credited on shows and episodes, with a role on each."""

import uuid

from django.db import models
from django.db.models import Exists, OuterRef, Q

from episodes.models.episode import Episode
from episodes.models.revised import Revised, RevisedQuerySet
from episodes.models.show import Show
from episodes.models.validators import http_url


class PersonQuerySet(RevisedQuerySet):
    def credited(self, now):
        """People who appear on something public at `now`."""
        episodes = Episode.objects.public(now).filter(credits__person=OuterRef("pk"))
        shows = Show.objects.public().filter(credits__person=OuterRef("pk"))
        return self.filter(Exists(episodes) | Exists(shows))


class Person(Revised):
    show_paths = ("credits__show", "credits__episode__show", "speaker_names__show")
    episode_paths = ("credits__episode",)

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=128)
    url = models.URLField("page", blank=True, max_length=500, validators=[http_url])
    picture = models.FileField(blank=True, max_length=255)
    picture_url = models.URLField("picture elsewhere", blank=True, max_length=1000)

    objects = models.Manager.from_queryset(PersonQuerySet)()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "people"

    def __str__(self):
        return self.name


class Credit(Revised):
    """A person's part in a show (every episode) or in one episode.

    Roles and groups are those of the Podcasting 2.0 taxonomy, in lower case.
    """

    class Role(models.TextChoices):
        HOST = "host", "Host"
        CO_HOST = "co-host", "Co-host"
        GUEST = "guest", "Guest"
        REPORTER = "reporter", "Reporter"
        NARRATOR = "narrator", "Narrator"
        ANNOUNCER = "announcer", "Announcer"
        EDITOR = "editor", "Editor"
        PRODUCER = "producer", "Producer"
        WRITER = "writer", "Writer"
        AUDIO_ENGINEER = "audio engineer", "Audio engineer"
        AUDIO_EDITOR = "audio editor", "Audio editor"
        COMPOSER = "composer", "Composer"
        TRANSLATOR = "translator", "Translator"
        TRANSCRIBER = "transcriber", "Transcriber"
        COVER_ART_DESIGNER = "cover art designer", "Cover art designer"

    show_paths = ("show", "episode__show")
    episode_paths = ("episode",)

    person = models.ForeignKey(Person, models.CASCADE, related_name="credits")
    show = models.ForeignKey(Show, models.CASCADE, null=True, blank=True, related_name="credits")
    episode = models.ForeignKey(
        Episode, models.CASCADE, null=True, blank=True, related_name="credits"
    )
    role = models.CharField(max_length=60, default=Role.HOST)
    group = models.CharField(max_length=60, default="cast")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                name="credit_on_a_show_or_an_episode",
                condition=Q(show__isnull=True, episode__isnull=False)
                | Q(show__isnull=False, episode__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["person", "show", "role"],
                condition=Q(show__isnull=False),
                name="credit_once_per_show_and_role",
            ),
            models.UniqueConstraint(
                fields=["person", "episode", "role"],
                condition=Q(episode__isnull=False),
                name="credit_once_per_episode_and_role",
            ),
        ]

    def __str__(self):
        return f"{self.person} ({self.role})"
