"""Search: what was said is found at its second; what is not public is not, at any second."""

import random
from datetime import timedelta
from urllib.parse import urlencode

import pytest
import time_machine
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from lxml import html

from episodes import search_index
from episodes.models import Episode, SearchEntry, Show, Transcript
from episodes.search import rank
from episodes.search_index import spoken, written
from episodes.searching.passages import pattern
from episodes.searching.query import parse
from episodes.searching.running import Running
from episodes.transcripts import read_transcript
from episodes.transcripts.cues import cues_to_rows
from tests.conftest import CORPUS
from tests.make import make_episode, make_show, make_transcript

pytestmark = pytest.mark.django_db


def search(client, q, **more):
    response = client.get("/search/?" + urlencode({"q": q, **more}))
    assert response.status_code == 200, response.status_code
    return html.fromstring(response.content.decode())


def titles(client, q, **more):
    page = search(client, q, **more)
    return [
        " ".join(h.text_content().split()) for h in page.xpath("//li[contains(@class,'hit')]//h3")
    ]


def said(client, q, **more):
    """Address, and the sentence with its marks in brackets."""
    found = []
    for link in search(client, q, **more).xpath("//ul[@class='hit-said']//a"):
        for mark in link.xpath(".//mark"):
            mark.text = f"[{mark.text}]"
        found.append((link.get("href"), "".join(link.xpath("./q")[0].itertext())))
    return found


def attach(episode, name, language="en"):
    """A file of the corpus as the episode's transcript."""
    read = read_transcript((CORPUS / "transcripts" / name).read_bytes(), name)
    return Transcript.objects.create(
        episode=episode,
        language=language,
        format=read.format,
        text=read.text,
        cues=cues_to_rows(read.cues) if read.cues else None,
    )


def base(episode):
    return f"/{episode.show.slug}/{episode.slug}/transcript/"


# What is found


def test_titles_summaries_and_notes(client):
    a = make_episode(title="Harbours of the north", summary="Ice.", notes="Ropes.")
    b = make_episode(title="Two", summary="Harbours again.", notes="Sails.")
    c = make_episode(title="Three", summary="Sand.", notes="All **harb**ours, [x](https://e.org/)")
    assert titles(client, "harbours") == [a.title, b.title, c.title]
    assert titles(client, "sails") == ["Two"]
    assert titles(client, "harbours sails") == ["Two"]
    assert titles(client, "strong") == []
    assert titles(client, "example") == []


def word_cases():
    """Phrases of the corpus over one cue border each, and the second their first cue begins."""
    for name in (
        "speech-151s.vtt", "real-talkpython-395.vtt", "real-talkpython-395-youtube.vtt",
        "speech-151s-crlf-bom.srt", "speech-151s.json", "three-hours-5400-cues.vtt",
    ):  # fmt: skip
        cues = read_transcript((CORPUS / "transcripts" / name).read_bytes(), name).cues
        for at in (len(cues) // 3, len(cues) // 2, len(cues) - 2):
            yield name, at


@pytest.mark.parametrize(("name", "at"), list(word_cases()))
def test_phrases_of_the_corpus_are_found_over_cue_borders_at_their_second(client, name, at):
    episode = make_episode()
    transcript = attach(episode, name)
    cue, following = transcript.read_cues()[at : at + 2]
    words = cue.text.split()[-3:] + following.text.split()[:3]
    found = said(client, '"' + " ".join(words).replace('"', "") + '"')
    assert f"{base(episode)}#t={cue.start_ms // 1000}" in [address for address, _ in found]


def test_the_last_word_may_be_unfinished(client):
    episode = make_episode(title="Other")
    make_transcript(episode, text="Everybody gathers here.\n\nNobody forgets.")
    assert titles(client, "gath") == ["Other"]
    assert titles(client, "everybody gath") == ["Other"]
    assert titles(client, "gath everybody") == []
    assert titles(client, "gath* everybody") == ["Other"]
    assert titles(client, '"gath"') == []
    assert said(client, "gath") == [(base(episode), "Everybody [gathers] here.")]


def test_the_whole_word_is_the_better_find(client):
    for title in ("Cartography", "Cart", "Carthage"):
        make_episode(title=title, summary="Nothing.", notes="")
    assert titles(client, "cart")[0] == "Cart"


def test_titles_come_before_notes_and_notes_before_what_was_said(client):
    spoken = make_episode(title="One")
    make_transcript(spoken, text="Anchors. " * 3 + "Filler words follow. " * 50)
    make_episode(title="Two", notes="On anchors.")
    make_episode(title="On anchors", published_at=timezone.now() - timedelta(days=900))
    assert titles(client, "anchors") == ["On anchors", "Two", "One"]


def test_accents_and_case_do_not_matter(client):
    make_episode(title="Das Résumé des Straßenmusikers")
    for asked in ("resume", "RESUME\u0301", "résumé", "strassenmusikers", "STRAẞENMUSIKERS"):
        assert titles(client, asked) == ["Das Résumé des Straßenmusikers"], asked


def test_chinese_japanese_and_korean(client):
    episode = make_episode(make_show(language="zh"), title="中文")
    attach(episode, "gb2312.srt", "zh")
    cues = episode.transcripts.get().read_cues()
    cue = next(cue for cue in cues if len(cue.text) > 6 and not cue.text.isascii())
    word = cue.text[2:5]
    assert f"{base(episode)}#t={cue.start_ms // 1000}" in [a for a, _ in said(client, word)]
    japanese = make_episode(title="日本語")
    rows = [[1500, 4000, "", "今日は東京"], [4000, 9000, "", "都に行きました。次は大阪です。"]]
    make_transcript(japanese, text="", cues=rows, format="vtt", language="ja")
    address = f"{base(japanese)}#t="
    assert said(client, "東京都") == [(f"{address}1", "今日は[東京都]に行きました。")]
    assert said(client, "大阪") == [(f"{address}4", "次は[大阪]です。")]
    assert said(client, "阪") == [(f"{address}4", "次は大[阪]です。")]
    assert titles(client, "京大") == []
    make_episode(title="서울에서 온 편지")
    assert titles(client, "서울") == ["서울에서 온 편지"]


def test_every_language_of_an_episode_is_found_where_it_is_shown(client):
    episode = make_episode()
    make_transcript(episode, text="", cues=[[0, 900, "", "The harbour is open."]])
    german = [[0, 900, "", "Guten Tag."], [65_000, 70_000, "", "Der Hafen ist offen."]]
    make_transcript(episode, language="de", text="", cues=german)
    assert said(client, "hafen") == [(f"{base(episode)}?lang=de#t=65", "Der [Hafen] ist offen.")]
    assert search(client, "hafen").xpath("//ul[@class='hit-said']/@lang") == ["de"]


def test_no_phrase_runs_from_one_transcript_into_another(client):
    episode = make_episode()
    make_transcript(episode, text="The open sea")
    make_transcript(episode, language="de", text="Harbour und Hafen")
    assert titles(client, '"sea harbour"') == []
    assert titles(client, "sea harbour") == [episode.title]


#: Accents, marks, digits and scripts that fold into each other, glue together or part words.
PIECES = [
    "a", "ab", "aB", "É", "e\u0301", "ß", "ss", "ø", "ſ", "ﬁ", "İ", "ŉ", "²", "１", "٣", "a's", "-",
    "東", "京", "が", "か\u3099", "ｶﾞ", "ー", "서", "울",
    "\u1100\u1161", "ก", "\u0e49", "न", "\u094d",
    "א\u05b7", "\u05be", "Σ", "ς", "\u200d", "\u00ad", "🎧", "_", ".", "。", " ", " ", " ", "\n",
]  # fmt: skip


def test_the_engine_finds_exactly_what_the_words_say():
    chance = random.Random(5)

    def text(most):
        return "".join(chance.choices(PIECES, k=chance.randint(1, most)))

    show = make_show()
    for _ in range(15):
        make_transcript(make_episode(show, title=f"x{text(5)}"), text=f"k{text(20)}")
    texts = {
        row.episode_id: [
            running.comparable
            for running in (Running([row.episode.title]), written(row.episode), spoken(row))
        ]
        for row in Transcript.objects.select_related("episode")
    }
    found = 0
    for number in range(250):
        query = parse(chance.choice(('"{}"', "{}", "{}*", "{} a")).format(text(3)))
        has_all = {
            key
            for key, words in texts.items()
            if query.terms and all(any(map(pattern(term).search, words)) for term in query.terms)
        }
        assert set(rank(query, timezone.now()).keys) == has_all, (number, query)
        found += len(has_all)
    assert found > 100


def test_several_finds_of_one_episode_are_one_result(client):
    episode = make_episode()
    cues = [[n * 1000, n * 1000 + 900, "", f"Take number {n} of the merge."] for n in range(9)]
    make_transcript(episode, text="", cues=cues)
    page = search(client, "merge")
    assert len(page.xpath("//li[contains(@class,'hit')]")) == 1
    assert [a.rpartition("=")[2] for a, _ in said(client, "merge")] == ["0", "1", "2"]
    assert "6 more in this transcript" in page.text_content()


def test_within_one_show(client):
    one, two = make_show(title="Harbour one"), make_show(title="Two")
    make_episode(one, title="Boats A")
    make_episode(two, title="Boats B")
    assert sorted(titles(client, "boats")) == ["Boats A", "Boats B"]
    assert titles(client, "boats", show=one.slug) == ["Boats A"]
    assert search(client, "harbour").xpath("//ul[@class='hit-shows']//a/@href") == ["/harbour-one/"]
    page = client.get(f"/{two.slug}/").content.decode()
    assert '<input type="hidden" name="show" value="two">' in page


def test_pages(client):
    show = make_show()
    for n in range(23):
        make_episode(show, title=f"Ropes {n}")
    seen = [titles(client, "ropes", page=number) for number in (1, 2, 3)]
    assert [len(page) for page in seen] == [10, 10, 3]
    assert len({title for page in seen for title in page}) == 23
    assert search(client, "ropes", page=2).xpath("//a[@rel='next']/@href") == ["?q=ropes&page=3"]
    assert client.get("/search/?q=ropes&page=4").status_code == 404
    assert client.get("/search/?q=ropes&page=999999").status_code == 404
    assert client.get("/search/?q=ropes&page=x").status_code == 404


@pytest.mark.parametrize("q", ["merge", '"all gather"', "mer* gath", "東京"])
def test_query_ceiling(client, q, django_assert_max_num_queries):
    for _ in range(12):
        make_transcript(make_episode(), text="They merge all gathers, all gather. 東京へ。")
    client.get("/search/?q=x")
    with django_assert_max_num_queries(8):  # two of them read the edition again at the end
        assert len(titles(client, q)) == 10


# Who may be found, and when


def test_what_is_not_public_is_not_found(client):
    show = make_show()
    hidden = make_show(visibility="hidden", title="Sextant hidden")
    gone = make_show(visibility="withdrawn", title="Sextant gone")
    make_episode(show, live=False, title="Sextant draft")
    make_episode(show, published_at=timezone.now() + timedelta(hours=1), title="Sextant soon")
    make_episode(hidden, title="Sextant in hidden")
    make_episode(gone, title="Sextant in gone")
    page = client.get("/search/?q=sextant")
    assert b"Sextant" not in page.content
    for slug in (hidden.slug, gone.slug, "never", "a%00b", "x" * 5000, "'"):
        assert client.get(f"/search/?q=sextant&show={slug}").status_code == 404


def test_a_scheduled_episode_is_found_in_the_second_it_is_due(client):
    due = timezone.now().replace(microsecond=0) + timedelta(hours=1)
    make_episode(title="Sextant", published_at=due)
    with time_machine.travel(due - timedelta(milliseconds=1), tick=False):
        before = client.get("/search/?q=sextant")
        assert b"No episode has this" in before.content
    with time_machine.travel(due, tick=False):
        after = client.get("/search/?q=sextant", HTTP_IF_NONE_MATCH=before["ETag"])
        assert after.status_code == 200
        assert titles(client, "sextant") == ["Sextant"]


def test_withdrawn_is_gone_at_once_and_comes_back(client):
    episode = make_episode(title="Sextant")
    tag = client.get("/search/?q=sextant")["ETag"]
    episode.withdraw()
    episode.save()
    assert client.get("/search/?q=sextant", HTTP_IF_NONE_MATCH=tag).status_code == 200
    assert titles(client, "sextant") == []
    episode.publish(timezone.now())
    episode.save()
    assert titles(client, "sextant") == ["Sextant"]
    Show.objects.update(visibility="withdrawn")
    assert titles(client, "sextant") == []


# Every way of writing is found at once


def test_edits_are_found_at_once(client):
    episode = make_episode(title="Old title", notes="Old notes", summary="")
    transcript = make_transcript(episode, text="", cues=[[0, 900, "", "An old gether."]])
    episode.title, episode.notes = "Sextant", "On astrolabes"
    episode.save()
    assert titles(client, "sextant astrolabes") == ["Sextant"]
    assert titles(client, '"old title"') == titles(client, '"old notes"') == []
    transcript.cues = [[0, 900, "", "An old gather."]]
    transcript.save()
    assert titles(client, '"old gather"') == ["Sextant"]
    assert titles(client, '"gether"') == []
    Transcript.objects.filter(pk=transcript.pk).update(cues=[[5000, 5900, "", "Compass."]])
    assert said(client, "compass") == [(f"{base(episode)}#t=5", "[Compass].")]
    Episode.objects.filter(pk=episode.pk).update(title="Quadrant")
    assert titles(client, "quadrant") == ["Quadrant"]
    assert titles(client, "sextant") == []
    transcript.delete()
    assert titles(client, "compass") == []
    make_transcript(episode, text="Sounding lead.")
    assert titles(client, "sounding") == ["Quadrant"]
    Transcript.objects.all().delete()
    assert titles(client, "sounding") == []
    episode.delete()
    assert titles(client, "quadrant") == []
    assert not SearchEntry.objects.exists()


def test_bulk_writes_are_found_and_a_deleted_show_leaves_nothing(client):
    show = make_show()
    episode = make_episode(show, title="Quadrant")
    Transcript.objects.bulk_create(
        [Transcript(episode=episode, language="en", format="txt", text="Sounding lead.")]
    )
    assert titles(client, "sounding") == ["Quadrant"]
    show.delete()
    assert not SearchEntry.objects.exists()


def test_a_write_rolled_back_is_not_found(client):
    episode = make_episode(title="Sextant")
    with pytest.raises(RuntimeError), transaction.atomic():
        episode.title = "Quadrant"
        episode.save()
        raise RuntimeError
    assert titles(client, "quadrant") == []
    assert titles(client, "sextant") == ["Sextant"]


def test_what_changes_no_words_costs_no_indexing(django_assert_max_num_queries):
    episode = make_episode()
    make_transcript(episode)
    before = SearchEntry.objects.get()
    SearchEntry.objects.update(title="untouched")
    episode.season = 3
    episode.save()
    assert SearchEntry.objects.get().title == "untouched"
    assert SearchEntry.objects.get().digest == before.digest


def test_migrate_and_the_command_index_what_was_there(client):
    episode = make_episode(title="Sextant")
    make_transcript(episode, text="Sounding lead.")
    SearchEntry.objects.all().delete()
    assert titles(client, "sextant") == []
    call_command("migrate", verbosity=0)
    assert titles(client, "sounding") == ["Sextant"]
    SearchEntry.objects.update(title="wrong")
    assert search_index.index_missing() == 0
    call_command("rebuild_search", verbosity=0)
    assert titles(client, "sextant") == ["Sextant"]


# Hostile text, and too much of it

HOSTILE = [
    '"', "'", "''", '"" ""', "*", "^a", "a*b*", "NEAR(merge gather, 5)", "title:merge",
    "{title}: x", "merge AND", "OR", "NOT", "merge NOT gather", "(", ")", "- merge", "+merge",
    "merge & | !", "merge:*", "merge:A", "<->", "a <-> b", "\\", "%", "_", "100%", "a_b",
    "merge\0gather", "\0",
    "'; DROP TABLE episodes_episode; --", "x" * 10_000, "merge " * 1000, '"' * 5000, "*" * 5000,
    "\ud83d\ude00", "🎧", "\u202e\u200b", "a\u0301" * 300, "ﷺ" * 60, "\ufdfa", "東" * 1000, "$1",
    "%s",    "{0}", "<script>alert(1)</script>", "é" * 200, "İ", "ß", "ŉ",
]  # fmt: skip


@pytest.mark.parametrize("q", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_text(client, q):
    make_transcript(make_episode(title="Merge"), text="They merge all, gather. 東東東 100% a_b")
    q = q.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    page = client.get("/search/?" + urlencode({"q": q}))
    assert page.status_code == 200
    assert b"<script>alert" not in page.content


@pytest.mark.parametrize(
    "address", ["/search/?q=%ff%fe", "/search/?q=a&q=b", "/search/?q[]=x", "/search/?q=%00%"]
)
def test_hostile_addresses(client, address):
    assert client.get(address).status_code == 200


class AnyText(TestCase):
    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.text(max_size=250)
        | st.text(st.sampled_from('ab "*()&|!:<>-\\%_{}^\0東é\u0301'), max_size=40)
    )
    @example("a b c d e f g h i j k l m")
    def test_any_text_gives_a_page(self, q):
        if not SearchEntry.objects.exists():
            make_transcript(make_episode(title="ab"), text="a b ab 東a東 é. b a?")
        with self.settings(SEARCH_PER_MINUTE=0):
            response = self.client.get("/search/", {"q": q})
        assert response.status_code == 200


def test_a_long_transcript_is_found_to_its_end(client):
    """Beyond the positions that a tsvector can count, and more words than it can hold."""
    episode = make_episode()
    words = [f"w{n:x}" for n in range(120_000)]
    rows = [[n * 10, n * 10 + 10, "", " ".join(words[n : n + 10])] for n in range(0, 120_000, 10)]
    make_transcript(episode, text="", cues=rows)
    ((address, sentence),) = said(client, f'"{words[49_998]} {words[49_999]} {words[50_000]}"')
    assert address == f"{base(episode)}#t=499"
    assert f"[{words[49_998]} {words[49_999]} {words[50_000]}]" in sentence
    assert titles(client, f'"{words[50_000]} {words[49_999]}"') == []


# What the answer says of itself


def test_nobody_keeps_or_lists_it(client):
    make_episode(title="Sextant")
    response = client.get("/search/?q=sextant")
    assert response["Cache-Control"] == "private, no-cache"
    assert response["X-Robots-Tag"] == "noindex"
    assert b'<meta name="robots" content="noindex">' in response.content
    assert not response.cookies
    again = client.get("/search/?q=sextant", HTTP_IF_NONE_MATCH=response["ETag"])
    assert again.status_code == 304
    assert client.post("/search/?q=sextant").status_code == 405
    assert "Disallow: /search/" in client.get("/robots.txt").content.decode()


def test_without_a_query_there_is_a_box(client):
    for address in ("/search/", "/search/?q=", "/search/?q=%20"):
        page = html.fromstring(client.get(address).content.decode())
        assert page.xpath("//form[@role='search']//input[@name='q']")
        assert "quotation marks" in page.text_content()


def test_browsers_are_told_how_to_search(client):
    page = html.fromstring(client.get("/").content.decode())
    (address,) = page.xpath("//link[@rel='search']/@href")
    response = client.get(address)
    assert response["Content-Type"].startswith("application/opensearchdescription+xml")
    assert b'template="https://podcast.example.org/search/?q={searchTerms}"' in response.content
    (facts,) = page.xpath("//script[@type='application/ld+json']/text()")
    assert "https://podcast.example.org/search/?q={search_term_string}" in facts


def test_too_many_searches_are_asked_to_wait(client, settings):
    settings.SEARCH_PER_MINUTE = 3
    make_episode(title="Sextant")
    with time_machine.travel(timezone.now().replace(second=20, microsecond=0), tick=False) as clock:
        for _ in range(3):
            assert client.get("/search/?q=sextant").status_code == 200
        refused = client.get("/search/?q=sextant")
        assert refused.status_code == 429
        assert refused["Retry-After"] == "40"
        assert refused["Cache-Control"] == "no-store"
        assert b"Wait 40 seconds" in refused.content
        assert b"Sextant" not in refused.content
        assert client.get("/search/").status_code == 200
        assert client.get("/search/?q=a", REMOTE_ADDR="10.0.0.9").status_code == 200
        clock.shift(40)
        assert client.get("/search/?q=sextant").status_code == 200


def test_one_ipv6_network_is_one_client(client, settings):
    settings.SEARCH_PER_MINUTE = 1
    with time_machine.travel(timezone.now().replace(second=20), tick=False):
        assert client.get("/search/?q=a", REMOTE_ADDR="2001:db8:0:1::5").status_code == 200
        assert client.get("/search/?q=a", REMOTE_ADDR="2001:db8:0:1:9::6").status_code == 429
        assert client.get("/search/?q=a", REMOTE_ADDR="2001:db8:0:2::5").status_code == 200


def test_entries_copied_from_another_engine_are_made_anew(client):
    make_episode(title="Sextant")
    SearchEntry.objects.update(title="other", digest="1x-0123456789ab")
    call_command("migrate", verbosity=0)
    assert titles(client, "sextant") == ["Sextant"]
