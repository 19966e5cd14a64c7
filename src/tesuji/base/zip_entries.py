"""Files within zip archives of strangers, opened so that who reads a part of one unpacks no more than that part."""

import zipfile
from typing import IO

_BOUNDED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


def open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """One file of the archive, to be read in parts. Raises `OSError` where its compression is a rare one."""
    if entry.compress_type not in _BOUNDED:
        # Of these zipfile bounds what goes in, not what comes out: 100 bytes may become as many megabytes at once.
        raise OSError("a rare kind of compression in a zip file; unpack it and pack it as usual")
    return archive.open(entry)
