"""Jobs for test_probing.py, imported by the child; each named by its `behave` option."""

import os
import resource
import signal
import socket
import sys
import time

from episodes.findings import Unreadable


def probe(path: str, options: dict):
    return globals()[options["behave"]](path)


def answer(path):
    return {"path": path, "modules": sorted(sys.modules)}, [b"one", b"", b"three"]


def surroundings(path):
    names = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_FSIZE")
    return {
        "environment": dict(os.environ),
        "limits": {name: resource.getrlimit(getattr(resource, name))[0] for name in names},
    }, []


def refuse(path):
    raise Unreadable("not-a-pear", "This is an apple; choose a pear.", "byte 3")


def take_memory(path):
    return {"length": len(bytearray(2 << 30))}, []


def work_for_ever(path):
    while True:
        pass


def sleep_for_ever(path):
    time.sleep(3600)


def die(path):
    os.kill(os.getpid(), signal.SIGKILL)


def stumble(path):
    raise KeyError("left")


def print_noise(path):
    print("noise")
    os.write(1, b"more noise")
    return {"quiet": True}, []


def bring_too_much(path):
    return {}, [bytes(16 << 20)]


def write_too_much(path):
    with open(path, "wb") as file:
        file.write(bytes(2 << 20))
    return {}, []


def call_home(path):
    host, port = path.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return {"reached": False}, []
    return {"reached": True}, []
