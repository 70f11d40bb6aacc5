"""`make bench`: speed and memory as ratios within one run. ARGS names parts, all by default."""

import subprocess
import sys

PARTS = {
    "front": "bench.front_bench",
    "site": "bench.site_bench",
    "rendering": "bench.rendering_bench",
    "search": "bench.search_bench",
    "transcript": "bench.transcript_bench",
    "upload": "bench.upload_bench",
    "import": "bench.import_bench",
}


def main() -> int:
    chosen = sys.argv[1:] or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        sys.stderr.write(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}\n")
        return 2
    missed = 0
    for name in chosen:
        sys.stdout.write(f"\n## {name}\n\n")
        sys.stdout.flush()
        missed += subprocess.run([sys.executable, "-m", PARTS[name]], check=False).returncode != 0
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
