from django.urls import path

app_name = "episodes"
urlpatterns: list = []
