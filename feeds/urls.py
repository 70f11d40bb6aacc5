from django.urls import path

app_name = "feeds"
urlpatterns: list = []
