from django.urls import path, re_path

from episodes import delivery, oembed, search_views, sitemaps, views

app_name = "episodes"

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("sitemap.xml", sitemaps.sitemap, name="sitemap"),
    path("llms.txt", sitemaps.llms, name="llms"),
    path("search/", search_views.search, name="search"),
    path("opensearch.xml", search_views.opensearch, name="opensearch"),
    path("oembed", oembed.oembed, name="oembed"),
    path(
        "audio/<uuid:uid>/<slug:version>/<slug:slug>.<slug:extension>",
        delivery.audio,
        name="audio",
    ),
    path(
        "artwork/<slug:kind>/<uuid:uid>/<slug:version>/<slug:size>.<slug:extension>",
        delivery.artwork,
        name="artwork",
    ),
    path("<slug:show>/", views.show, name="show"),
    path("<slug:show>/<slug:episode>.txt", views.episode_text, name="episode_text"),
    path("<slug:show>/<slug:episode>/", views.episode, name="episode"),
    path("<slug:show>/<slug:episode>/transcript/", views.transcript, name="transcript"),
    re_path(
        r"^(?P<show>[-\w]+)/(?P<episode>[-\w]+)/transcript(?:\.(?P<language>[A-Za-z0-9-]+))?"
        r"\.(?P<extension>vtt|srt|json|html|txt)$",
        views.transcript_file,
        name="transcript_file",
    ),
    path("<slug:show>/<slug:episode>/embed/", oembed.embed, name="embed"),
    path("<slug:show>/<slug:episode>/chapters.json", views.chapters, name="chapters"),
]
