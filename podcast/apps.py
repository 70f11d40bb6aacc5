from django.apps import AppConfig, apps
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate


class PodcastConfig(AppConfig):
    name = "podcast"
    verbose_name = "Site"

    def ready(self):
        # Each is sent once an app; one of them is enough.
        once = apps.get_app_config("episodes")
        pre_migrate.connect(let_statements_take_long, sender=once)
        post_migrate.connect(limit_statements_again, sender=once)


def let_statements_take_long(using: str, **kwargs) -> None:
    """Half a minute is enough for a page, and may not be for an index over all transcripts."""
    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")


def limit_statements_again(using: str, **kwargs) -> None:
    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            cursor.execute("RESET statement_timeout")
