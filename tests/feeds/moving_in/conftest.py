"""No name can be found, as on a machine without the internet; loopback servers are allowed."""

import socket

import pytest


@pytest.fixture
def offline(monkeypatch):
    def unknown(*args, **kwargs):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)


@pytest.fixture
def local(settings):
    settings.FETCH_PRIVATE = True
