"""A transcript page of 5,400 cues in Chromium: first paint and scrolling.

    python -m bench.transcript_bench [--slower 4]

Each figure stands beside the same page with `content-visibility` switched off, in the same
run; `--slower` divides the processor's speed, as a phone has it. Needs Chromium. A site of
its own, gone at the end.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import CORPUS
from tests.running import running_site

EPISODE = "low-precision-grouped-gemm-push-and-compiler-fixes"
PAGE = f"/pytorch/{EPISODE}/transcript/?lang=qaa"
OFF = ".said { content-visibility: visible !important }"
RUNS = 5

#: Flings for 5 s, five screens a second, and notes how long each frame took.
SCROLL = """
() => new Promise((done) => {
  const frames = [];
  const begin = performance.now();
  let last = begin;
  function frame(now) {
    frames.push(now - last);
    scrollBy(0, (5 * innerHeight * Math.min(now - last, 50)) / 1000);
    last = now;
    if (now - begin < 5000) requestAnimationFrame(frame);
    else done(frames.slice(2));
  }
  requestAnimationFrame(frame);
})
"""

#: The page has laid out in idle time what was out of sight.
LAID_OUT = "!document.querySelector('.said:not(.is-laid-out)')"

PAINT = """
() => ({
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  loaded: performance.getEntriesByType('navigation')[0].loadEventEnd,
})
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slower", type=float, default=1)
    slower = parser.parse_args().slower
    with tempfile.TemporaryDirectory() as directory, running_site(Path(directory)) as site:
        source = str(CORPUS / "transcripts/three-hours-5400-cues.vtt")
        site.manage("attach_transcript", "pytorch", EPISODE, source, "--language", "qaa")
        begin = time.perf_counter()
        body = site.get(PAGE)[2]
        cold = time.perf_counter() - begin
        warm = statistics.median(timed(lambda: site.get(PAGE)) for _ in range(5))
        sys.stdout.write(
            f"{body.count(b'class=' + chr(34).encode() + b'cue' + chr(34).encode()):,} cues, "
            f"{len(body) / 1e6:.2f} MB; rendered in {cold * 1000:.0f} ms, from the front's cache "
            f"{warm * 1000:.0f} ms\n\n"
        )
        on, off = look(site.url, "", slower), look(site.url, OFF, slower)
    sys.stdout.write(
        "| | with `content-visibility` | without | ratio |\n| --- | --: | --: | --: |\n"
    )
    for name in on:
        ratio = f"{on[name] / off[name]:.2f}" if off[name] else ""
        sys.stdout.write(f"| {name} | {on[name]:,.0f} | {off[name]:,.0f} | {ratio} |\n")
    return 0


def timed(act) -> float:
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def look(url: str, style: str, slower: float) -> dict[str, float]:
    """Medians over RUNS fresh browser contexts, in milliseconds."""
    from playwright.sync_api import sync_playwright

    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(RUNS):
            context = browser.new_context(
                base_url=url, viewport={"width": 400, "height": 800}, bypass_csp=True
            )
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            # In the first bytes of the page, so that it counts for the first paint too.
            page.route("**/transcript/*", lambda route: styled(route, style))
            page.goto(PAGE)
            paint = page.evaluate(PAINT)
            row = {"first contentful paint, ms": paint["paint"], "loaded, ms": paint["loaded"]}
            for when, ready in (("at once", "true"), ("later", LAID_OUT)):
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_function(ready, timeout=120_000, polling=500)
                frames = sorted(page.evaluate(SCROLL))
                frame = f"scrolling {when}: frame"
                row[f"{frame}, median ms"] = statistics.median(frames)
                row[f"{frame}, 95th percentile ms"] = frames[int(len(frames) * 0.95)]
                row[f"{frame}, worst ms"] = frames[-1]
                row[f"{frame}s over 50 ms, in 5 s"] = sum(length > 50 for length in frames)
            rows.append(row)
            context.close()
        browser.close()
    return {name: statistics.median(row[name] for row in rows) for name in rows[0]}


def styled(route, style: str) -> None:
    answer = route.fetch()
    route.fulfill(
        response=answer, body=answer.text().replace("</head>", f"<style>{style}</style></head>")
    )


if __name__ == "__main__":
    sys.exit(main())
