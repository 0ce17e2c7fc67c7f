"""Check every internal link of a built site: ``python docs/extensions/links.py site``.

Sphinx checks what it resolves itself; this looks at the pages as a browser gets them.
"""

import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

TAG, PART = re.compile("<[a-z][^>]*>"), re.compile(r'\s(id|href|src)="([^"]+)"')


def parts(file: Path) -> list[tuple[str, str]]:
    """Return the attributes of a page that are anchors, or links to pages, pictures and scripts."""
    text = re.sub(
        "(<script[^>]*>).*?</script>", r"\1", file.read_text(encoding="utf-8"), flags=re.S
    )
    tags = TAG.findall(text)
    return [(name, unescape(value)) for tag in tags for name, value in PART.findall(tag)]


def broken(site: Path) -> list[str]:
    """Return the links to files or anchors that are not there."""
    files = [file for file in site.resolve().rglob("*.html") if "_static" not in file.parts]
    pages = {file: parts(file) for file in files}
    ids = {file: {value for name, value in found if name == "id"} for file, found in pages.items()}
    missing = []
    for file, found in pages.items():
        for name, link in found:
            url = urlsplit("" if name == "id" else link)
            if url.scheme or url.netloc:
                continue
            target = (file.parent / unquote(url.path)).resolve() if url.path else file
            anchors = ids.get(target, {unquote(url.fragment)}) | {"", "top"}
            if not target.exists() or unquote(url.fragment) not in anchors:
                missing.append(f"{file.relative_to(site.resolve())}: {link}")
    return missing


if __name__ == "__main__":
    missing = broken(Path(sys.argv[1]))
    sys.exit("\n".join(["links that lead nowhere:", *missing]) if missing else 0)
