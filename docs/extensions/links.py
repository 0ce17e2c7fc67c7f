"""Check every internal link of a built site: ``python docs/extensions/links.py site``.

Sphinx checks what it resolves itself; this looks at the pages as a browser gets them.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep ids, and targets of links, pictures and scripts."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken(site: Path) -> list[str]:
    """Links to files or anchors that are not there."""
    files = [file for file in site.resolve().rglob("*.html") if "_static" not in file.parts]
    pages = {file: Page(file) for file in files}
    found = []
    for file, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (file.parent / unquote(url.path)).resolve() if url.path else file
            if not target.exists() or (
                target in pages and unquote(url.fragment) not in pages[target].anchors
            ):
                found.append(f"{file.relative_to(site.resolve())}: {link}")
    return found


if __name__ == "__main__":
    missing = broken(Path(sys.argv[1]))
    sys.exit("\n".join(["links that lead nowhere:", *missing]) if missing else 0)
