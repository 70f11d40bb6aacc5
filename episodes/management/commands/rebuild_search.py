from django.core.management.base import BaseCommand

from episodes import search_index
from episodes.models import Episode


class Command(BaseCommand):
    help = (
        "Make the search index anew from the episodes. Never needed in daily use: every write "
        "keeps it true. Use it after rows were written by other means than this application."
    )

    def handle(self, *, verbosity, **options):
        total = Episode.objects.count()

        def progress(done: int) -> None:
            if verbosity:
                self.stdout.write(f"{done} of {total} episodes")

        count = search_index.rebuild(progress)
        if verbosity:
            self.stdout.write(f"Indexed {count} episode{'' if count == 1 else 's'}.")
