"""Moving in: a show from elsewhere becomes rows, with every GUID, and again without harm.

    report = import_feed(Source(url), options, progress)

`settling` says what of a foreign record our rows can hold, `differences` what a second run may
touch, `downloads` and `gathering` bring the files, `episodes` and `shows` write the rows.
"""
