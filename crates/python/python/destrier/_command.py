"""The command that comes with the package."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from typing import List, Optional


def command() -> str:
    """The path of the command `destrier` that was installed with this package, or of one on the path.

    >>> import os
    >>> os.path.basename(command()).startswith("destrier")
    True
    """
    name = "destrier" + (sysconfig.get_config_var("EXE") or "")
    folders: List[Optional[str]] = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    if sys.version_info >= (3, 10):
        folders.append(sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user")))
    for folder in folders:
        path = os.path.join(folder or "", name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"the command `{name}` is neither beside this Python nor on the path")
    return found
