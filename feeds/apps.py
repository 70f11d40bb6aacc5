from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "feeds"
    verbose_name = "Feeds"

    def ready(self):
        from episodes.models import Episode, Show
        from episodes.signals import edition_moved
        from feeds.announce import on_edition_moved
        from feeds.custom import validate_custom_xml

        edition_moved.connect(on_edition_moved, dispatch_uid="feeds.announce")
        # `episodes` keeps the text and knows no XML; every form over it, and `full_clean`, asks us.
        for model in (Show, Episode):
            validators = model._meta.get_field("custom_xml").validators
            if validate_custom_xml not in validators:
                validators.append(validate_custom_xml)
