from django.urls import path

from feeds import views

app_name = "feeds"

urlpatterns = [
    path("feed.xml", views.network, name="network"),
    path("shows.opml", views.opml, name="opml"),
    path("<slug:show>/feed.xml", views.show, name="show"),
]
