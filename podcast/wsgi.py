"""Django as a WSGI application; podcast/front.py stands before it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "podcast.settings")

application = get_wsgi_application()
