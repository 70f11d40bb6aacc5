"""Static files under names that hold their content's hash, so that they are kept for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ManifestStorage(CompressedManifestStaticFilesStorage):
    """Also what a module imports is named by its hash: a module and its imports belong together."""

    support_js_module_import_aggregation = True
