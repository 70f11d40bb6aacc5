"""What stops a backup or a restore, in words for the person who ran the command."""


class BackupError(Exception):
    """Nothing was changed, unless the message says so. `str(error)` says what to do."""


class Damaged(BackupError):
    """Something in the backup is not what was written."""
