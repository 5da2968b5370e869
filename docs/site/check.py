"""Checks a built site: each local link leads to a file, each anchor to an element, and no page fetches anything from
elsewhere. Takes its folder."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.fetched = set(), [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.ids.add(value)
            if (name, tag) in (("href", "a"), ("href", "link"), ("src", "img"), ("src", "script")) and value:
                self.links.append(value)
                if tag in ("img", "script") or dict(attributes).get("rel") == "stylesheet":
                    self.fetched.append(value)


def main(root):
    pages, wrong, links = {}, [], 0
    for file in root.rglob("*.html"):
        # Reports are one file each and have no links to others.
        page = Page()
        page.feed(file.read_text(encoding="utf-8", errors="replace"))
        pages[file.resolve()] = page
    for file, page in pages.items():
        for link in page.fetched:
            if link.startswith("//") or urlsplit(link).scheme in ("http", "https"):
                wrong.append(f"{file.relative_to(root.resolve())}: {link} is fetched from elsewhere")
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("//"):
                continue
            links += 1
            to = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if to.is_dir():
                to = to / "index.html"
            anchor = unquote(parts.fragment)
            if not to.exists():
                wrong.append(f"{file.relative_to(root.resolve())}: {link} leads nowhere")
            elif anchor and to in pages and anchor not in pages[to].ids and not anchor.startswith("__"):
                wrong.append(f"{file.relative_to(root.resolve())}: {link} has no such anchor")
    print(f"{len(pages)} pages, {links} links, {len(wrong)} wrong")
    print("\n".join(sorted(set(wrong))[:50]))
    return 1 if wrong else 0


sys.exit(main(Path(sys.argv[1])))
