"""The editors' desk."""

from django.contrib import admin

from episodes.admin import episode, person, show, site  # noqa: F401  (each registers itself)

admin.site.site_header = "The desk"
admin.site.site_title = "The desk"
admin.site.index_title = "Shows and episodes"
admin.site.enable_nav_sidebar = True
