from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "feeds"
    verbose_name = "Feeds"

    def ready(self):
        from episodes.signals import edition_moved
        from feeds.announce import on_edition_moved

        edition_moved.connect(on_edition_moved, dispatch_uid="feeds.announce")
