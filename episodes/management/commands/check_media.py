"""Do files and rows agree? Asks before it mends anything."""

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand

from episodes.media_check import Problem, find_problems


class Command(BaseCommand):
    help = (
        "Find rows without files, files without rows, and recordings and pictures whose length "
        "(with --hashes, whose content) is not what was stored. With --repair, ask for each and "
        "mend it. Ends with 0 when nothing is wrong or everything was mended, else with 1."
    )

    def add_arguments(self, parser):
        parser.add_argument("--hashes", action="store_true", help="read every file in full")
        parser.add_argument("--repair", action="store_true", help="offer to mend what can be")
        parser.add_argument("--yes", action="store_true", help="answer yes to every question")

    def handle(self, *, hashes, repair, yes, **options):
        found = left = freed = 0
        for problem in find_problems(hashes=hashes):
            found += 1
            self.stdout.write(f"{problem.code}: {problem.message}")
            if repair and self.agreed(problem, yes) and self.mend(problem):
                freed += problem.bytes
            else:
                left += 1
        if not found:
            self.stdout.write("Files and rows agree.")
            return
        mended = f", {found - left} mended" if repair else ""
        self.stdout.write(f"{found} found{mended}, {left} left; {freed:,} bytes freed.")
        if left:
            if not repair:
                self.stdout.write("Run again with --repair to mend them one by one.")
            raise SystemExit(1)

    def agreed(self, problem: Problem, yes: bool) -> bool:
        if problem.repair is None:
            return False
        if yes:
            self.stdout.write(f"  {problem.question} yes")
            return True
        try:
            return input(f"  {problem.question} [y/N] ").strip().lower() in {"y", "yes"}
        except EOFError:
            return False

    def mend(self, problem: Problem) -> bool:
        try:
            problem.repair()  # type: ignore[misc]
        except ValidationError as error:
            self.stderr.write(f"  Not mended: {' '.join(error.messages)}")
            return False
        except OSError as error:
            self.stderr.write(f"  Not mended: {error}")
            return False
        return True
