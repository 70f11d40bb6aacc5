from django.http import Http404


def network(request):
    raise Http404


def show(request, show):
    raise Http404
