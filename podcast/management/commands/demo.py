from django.core.management.base import BaseCommand

from episodes import demo_show


class Command(BaseCommand):
    help = "Load the demo show with its nine episodes; run again, it changes nothing."

    def add_arguments(self, parser):
        parser.add_argument("--remove", action="store_true", help="take the demo show away again")

    def handle(self, *, remove, **options):
        if remove:
            count = demo_show.remove()
            self.stdout.write(
                f"Removed the demo show and its {count} episodes."
                if count
                else "The demo show is not here."
            )
            return
        loaded = demo_show.load()
        if loaded.created or loaded.episodes:
            self.stdout.write(f"Loaded the demo show: {loaded.show}, {loaded.episodes} episodes.")
        else:
            self.stdout.write("The demo show is here already; nothing changed.")
