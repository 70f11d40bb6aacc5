from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    name = "episodes"
    verbose_name = "Podcasts"

    def ready(self):
        from episodes import search_index

        search_index.connect(self)
