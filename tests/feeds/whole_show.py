"""A show in which every field of every row that belongs to it is set."""

import hashlib
from datetime import UTC, datetime, timedelta

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from episodes import ingest, models, pictures
from tests.conftest import CORPUS
from tests.make import NOON, make_show

HOME = "https://elsewhere.example"
EXTRA = '<x:mood xmlns:x="urn:x">calm &amp; good</x:mood>'
GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
PICTURES = ("square-1400.jpg", "progressive-1400.jpg", "gray-1400.jpg", "square-1400.png")
RECORDINGS = ("cbr-128k-10s.mp3", "id3v23-3-chapters-cover.mp3")


def picture(owner, number: int, attribute: str) -> None:
    path = CORPUS / "images" / PICTURES[number]
    pictures.attach_artwork(owner, ContentFile(path.read_bytes(), name=path.name), attribute)


def record(episode: models.Episode, number: int) -> None:
    with (CORPUS / "audio" / RECORDINGS[number]).open("rb") as handle:
        upload = File(handle, name=str(CORPUS / "audio" / RECORDINGS[number]))
        ingest.attach_audio(episode, upload, ingest.read_audio(upload))


def make_whole_show() -> models.Show:
    """Five episodes: one with everything, one elsewhere, one plain, one scheduled, one draft."""
    show = make_show(
        title="Harbour Line & friends 👩‍🚀", slug="harbour", tagline="One line", language="en-GB",
        description="Short briefings.\n\nFor <people> & machines.", owner_name="Ada",
        owner_email="user@example.com", owner_in_feed=True, artwork_alt="A harbour",
        category="Society & Culture", category_2="Technology", category_3="News", explicit=True,
        type="serial", copyright="Ada", license="CC-BY-4.0", license_url=f"{HOME}/by",
        link=f"{HOME}/", medium="audiobook", locked=False, complete=True, blocked=True,
        visibility="public", page_size=2, chapters_in_notes=True, write_tags=True,
        update_frequency="Weekly", update_rrule="FREQ=WEEKLY", publisher_guid=GUID,
        publisher_url=f"{HOME}/publisher.xml", custom_xml=EXTRA, imported_xml=EXTRA,
        imported_from=f"{HOME}/feed.xml", guid="0385b517-e0dd-5f8b-8340-08cbb4843ca8",
    )  # fmt: skip
    picture(show, 0, "artwork")
    show.save()
    ada = models.Person(name="Ada Harbour", url=f"{HOME}/ada")
    picture(ada, 1, "picture")
    ada.save()
    ben = models.Person.objects.create(name="Ben Öl", picture_url=f"{HOME}/ben.jpg")
    models.Credit.objects.create(show=show, person=ada, role="host", group="crew", position=3)
    models.Credit.objects.create(show=show, person=ben, role="guest", group="cast", position=1)
    models.SpeakerName.objects.create(show=show, label="SPEAKER_00", person=ada)
    models.GlossaryTerm.objects.create(
        show=show, wrong="pie torch", right="PyTorch", match_case=True
    )
    models.DirectoryLink.objects.create(
        show=show, service="other", label="Ours", url=f"{HOME}/here", position=2
    )
    models.Season.objects.create(show=show, number=2, name="The second harbour")
    models.FormerShowSlug.objects.create(show=show, slug="old-harbour")
    models.Recommendation.objects.create(
        show=show,
        feed_guid=GUID,
        feed_url=f"{HOME}/f.xml",
        title="Other",
        medium="music",
        position=4,
    )
    models.PlatformBlock.objects.create(show=show, service="youtube", blocked=False)
    models.LiveStream.objects.create(
        show=show, guid="live-1", title="Live", description="Now", status="ended",
        starts_at=NOON, ends_at=NOON + timedelta(hours=1), stream_url=f"{HOME}/live.mp3",
        stream_type="audio/aac", content_url=f"{HOME}/live", content_text="Hear it",
    )  # fmt: skip
    details(show=show)
    episodes(show, ada)
    return models.Show.objects.get(pk=show.pk)


def details(**owner) -> None:
    """One of each kind of detail, on a show or an episode."""
    models.Funding.objects.create(**owner, url=f"{HOME}/give?a=1&b=2", text="Give", position=1)
    models.Location.objects.create(
        **owner, name="Wien", rel="creator", geo="geo:48.2,16.3", osm="R109166", country="AT",
        position=1,
    )  # fmt: skip
    models.TextRecord.objects.create(**owner, purpose="verify", value="One\nTwo", position=1)
    models.SocialInteraction.objects.create(
        **owner, protocol="activitypub", uri=f"{HOME}/@ada/1", account_id="@ada",
        account_url=f"{HOME}/@ada", priority=1, position=1,
    )  # fmt: skip
    models.ExtraImage.objects.create(
        **owner, url=f"{HOME}/wide.jpg", alt="Wide", aspect_ratio="16/9", width=1600, height=900,
        media_type="image/jpeg", purpose="social", position=1,
    )  # fmt: skip
    models.ValuePayment.objects.create(
        **owner, type="hive", method="other", suggested="0.1", position=1,
        recipients=[{"name": "Ada", "type": "node", "address": "02d5", "split": 95, "fee": True}],
    )  # fmt: skip
    models.Chat.objects.create(
        **owner, server="irc.example", protocol="irc", account_id="@a", space="#h", position=1
    )


def episodes(show: models.Show, person: models.Person) -> None:
    full = models.Episode(
        show=show, title="Ampersands & <angles>", slug="first", guid="urn:x:1",
        summary="In two\nlines.",
        notes="We **talk** about [this](https://elsewhere.example/).", artwork_alt="An angle",
        season=2, number=7, number_display="Ch. 7½", type="bonus", explicit=False, blocked=True,
        status="published", published_at=NOON, license="MIT", license_url=f"{HOME}/mit",
        custom_xml=EXTRA, imported_xml=EXTRA,
    )  # fmt: skip
    record(full, 0)
    picture(full, 2, "artwork")
    full.save()
    record(full, 1)
    full.save()  # the first recording is a former one now
    upload = (
        CORPUS / "audio/vbr-with-xing.mp3"
    ).read_bytes()  # as if tags had been written into it
    sha256 = hashlib.sha256(upload).hexdigest()
    stored = default_storage.save(f"audio/{full.uid}/{sha256}.mp3", ContentFile(upload))
    full.audio_original.name, full.audio_original_sha256 = stored, sha256
    full.audio_original_bytes, full.tags_written = len(upload), "ab" * 32
    full.save()
    full.slug = "ampersands"
    full.save()  # and the first slug a former slug
    vtt = CORPUS / "transcripts/namespace-example.vtt"
    transcript = models.Transcript(episode=full, language="en-GB", declined=[["helo", "hello"]])
    ingest.fill_transcript(transcript, vtt.read_bytes(), vtt.name)
    transcript.save()
    models.TranscriptCorrection.objects.create(
        transcript=transcript, place=3, before=[[0, 900, "Ada", "Helo."]],
        after=[[0, 900, "Ada", "Hello."]], note="Spelling", run=GUID, undone_at=NOON, lost_at=NOON,
    )  # fmt: skip
    models.Transcript.objects.create(
        episode=full, language="de", format="txt", text="Guten Tag.", recording="ab" * 32
    )
    image = (CORPUS / "images" / PICTURES[3]).read_bytes()
    name = f"artwork/{full.uid}/{hashlib.sha256(image).hexdigest()[:16]}.png"
    models.Chapter.objects.create(
        episode=full, start_ms=500, end_ms=900, title="Beginning", url=f"{HOME}/c", hidden=True,
        image=default_storage.save(name, ContentFile(image)), image_url=f"{HOME}/c.jpg",
        recording=full.audio_sha256,
    )  # fmt: skip
    models.Credit.objects.create(
        episode=full, person=person, role="guest", group="crew", position=2
    )
    models.Soundbite.objects.create(episode=full, start_ms=10, duration_ms=20, title="Bite")
    models.AlternateEnclosure.objects.create(
        episode=full, sources=[f"{HOME}/1.opus"], media_type="audio/ogg", length=9, bitrate=32000,
        height=3, language="en", title="Small", rel="small", codecs="opus", is_default=True,
        integrity="sha384-x", position=1,
    )  # fmt: skip
    models.ContentLink.objects.create(episode=full, url=f"{HOME}/w", text="Watch", position=1)
    details(episode=full)
    models.Episode.objects.create(
        show=show, title="Elsewhere", audio_url=f"{HOME}/2.mp3", audio_bytes=100,
        audio_type="audio/mpeg", duration_ms=5000, status="published",
        published_at=NOON - timedelta(days=1),
    )  # fmt: skip
    for title, status, moment in (
        ("Plain", "published", NOON),  # the same moment as the first: order is by key
        ("Scheduled", "published", datetime(2999, 1, 1, tzinfo=UTC)),
        ("Draft", "draft", None),
    ):
        episode = models.Episode(show=show, title=title, status=status, published_at=moment)
        record(episode, 0)
        episode.save()
