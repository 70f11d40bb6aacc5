from django.apps import AppConfig


class PodcastConfig(AppConfig):
    name = "podcast"
    verbose_name = "Site"
