"""Why a file that a person named could not be written, and what to do; files on the way to it are not named."""

from __future__ import annotations

import errno
from pathlib import Path


def reason(error: OSError, folder: Path) -> str:
    """Return both, for a file that would lie in this folder."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR | errno.EEXIST:
            return f"there is no folder {folder}; make it, or name another place"
        case errno.EACCES | errno.EPERM:
            return f"you may not write in {folder}; ask whose it is, or name another place"
        case errno.EROFS:
            return f"the disk of {folder} is read-only; name another place"
        case errno.ENOSPC | errno.EDQUOT:
            return f"there is no room left on the disk of {folder}; make some, or name another place"
        case errno.ENAMETOOLONG:
            return "the name is too long; take a shorter one"
    return f"{error.strerror or error}; name another place"
