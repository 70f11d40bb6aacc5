"""What a show has several of: its pages elsewhere, and the names of its seasons."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q

from episodes.models.revised import Revised
from episodes.models.show import Show
from episodes.models.validators import http_url


class DirectoryLink(Revised):
    """Where else the show can be found: its page in a directory or app."""

    class Service(models.TextChoices):
        APPLE = "apple", "Apple Podcasts"
        SPOTIFY = "spotify", "Spotify"
        YOUTUBE = "youtube", "YouTube"
        AMAZON = "amazon", "Amazon Music"
        POCKET_CASTS = "pocketcasts", "Pocket Casts"
        OVERCAST = "overcast", "Overcast"
        ANTENNAPOD = "antennapod", "AntennaPod"
        PODCAST_INDEX = "podcastindex", "Podcast Index"
        FOUNTAIN = "fountain", "Fountain"
        DEEZER = "deezer", "Deezer"
        OTHER = "other", "Other"

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="directory_links")
    service = models.CharField(max_length=20, choices=Service)
    label = models.CharField(max_length=60, blank=True, help_text="Needed for “Other” only.")
    url = models.URLField("address", max_length=500, validators=[http_url])
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["show", "url"], name="directory_link_once_per_show")
        ]

    def __str__(self):
        return self.name

    def clean(self):
        if self.service == self.Service.OTHER and not self.label:
            raise ValidationError({"label": "Say what the link should be called."})

    @property
    def name(self) -> str:
        return self.label or self.get_service_display()


class Season(Revised):
    """A season's name; seasons without one need no row."""

    show_paths = ("show",)

    show = models.ForeignKey(Show, models.CASCADE, related_name="seasons")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=128, validators=[MaxLengthValidator(128)])

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["show", "number"], name="season_once_per_show"),
            models.CheckConstraint(name="season_number_is_positive", condition=Q(number__gte=1)),
        ]

    def __str__(self):
        return self.name
