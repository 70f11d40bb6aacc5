from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("feeds.urls")),
    path("", include("episodes.urls")),
]

handler404 = "episodes.views.not_found"
handler500 = "episodes.views.server_error"
