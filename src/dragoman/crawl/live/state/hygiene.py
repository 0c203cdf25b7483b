"""What addresses carry that is not of the page: sessions and campaigns, and names of files that are no pages."""

from __future__ import annotations

import re

NO_PAGE = "no page, by the end of its name"
NAME_FAILS = "such names gave nothing but errors there"
#: Ends of names that pages have, and what is expected of another end before the first page or error came from it.
_PAGES = re.compile("aspx?|cfm|cgi|do|x?html?|jsp|php3?|phtml|pl|shtml|txt|xml")
UNUSUAL = 0.02
#: Errors after which names with an end are left alone on a server, or in a folder of it.
MOST_FAILURES = 20

#: Parameters that say who sent the reader; the page is the same without them.
_TRACKING = re.compile(
    r"(?:utm_\w+|(?:pk|piwik|matomo|mtm|hsa|oly|vero|wt|ns|at|trk|mkt)_\w+|_hs\w+|_ga|_gl|__s|fb(?:clid|_\w+)|"
    r"(?:g|d|y|ms|tw|li|tt|wick|gb|wb)cl(?:k?id|src)|(?:li|s)_fat_id|igshid?|mc_[ce]id|ml_subscriber\w*|"
    r"ref_?src|ref_?url|cmpid|campaign_?id|icid|ncid|sr_share|share_?source|spm|scm|yclid|ysclid|zanpid|epik|"
    r"__twitter_impression|elq\w*|trackid|ito|amp_js_v)",
    re.IGNORECASE,
)
#: Parameters that name a session, whatever they hold; and those that may, if they hold what only a machine writes.
_SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|session_?id|sess_?id|cfid|cftoken|osc?sid|zenid|"
    r"sessionkey)",
    re.IGNORECASE,
)
_PERHAPS_SESSION = re.compile(r"(?:sid|s|session|sess|token|xtor)=(?=\w*\d)\w{20,}", re.IGNORECASE)
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)

_NAMES = (
    "7z aac ai apk asc avi avif bin bmp bz2 cab class cer css csv dat deb djvu dmg doc docm docx dvi eot eps epub "
    "exe flac flv gif gz heic ico img iso jar jpe jpeg jpg js json key lz lzma m3u m4a m4v md5 mid midi mkv mobi "
    "mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pdf pkg png pps ppsx ppt pptx ps psd qt ram rar rm rpm rtf "
    "sha1 sha256 sig sql svg swf tar tbz tgz tif tiff torrent ttf vcf wav weba webm webp wma wmv woff woff2 xls "
    "xlsx xpi xz zip zst"
)
_NO_PAGES = re.compile(rf"\.(?:{'|'.join(_NAMES.split())})$", re.IGNORECASE)
#: Kinds of content that nobody reads, whatever letters they have; SVG is one of the images.
_NO_PAGE_TYPES = re.compile(
    r"\s*(?:image|audio|video|font|model)/|[^;]*/(?:x-)?(?:css|javascript|ecmascript)\b", re.IGNORECASE
)


def without_tracking(url: str) -> str:
    """A canonical URL without what names a session or a campaign.

    >>> without_tracking("http://a.de/x;jsessionid=0F?id=3&utm_source=b&PHPSESSID=1"), without_tracking("http://a.de/?s=th")
    ('http://a.de/x?id=3', 'http://a.de/?s=th')
    """
    address, mark, query = url.partition("?")
    if ";" in address:
        address = _IN_PATH.sub("", address)
    if not mark:
        return address
    fields = [field for field in query.split("&") if not _is_tracking(field)]
    return f"{address}?{'&'.join(fields)}" if fields else address


def _is_tracking(field: str) -> bool:
    name = field.partition("=")[0]
    return bool(_TRACKING.fullmatch(name) or _SESSION.fullmatch(name) or _PERHAPS_SESSION.fullmatch(field))


def suffix_of(url: str) -> str:
    """The end of a URL's name behind its last dot, in lower case; empty if there is none.

    >>> suffix_of("http://a.de/x.LY?y=1"), suffix_of("http://a.de/x/"), suffix_of("http://a.de/v1.2/x")
    ('ly', '', '')
    """
    name = url.partition("?")[0].rpartition("/")[2].lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    return suffix if len(suffix) <= 5 else ""


def folder_names(url: str) -> str:
    """What a URL has in common with others of its folder whose names end in the same way.

    >>> folder_names("http://a.de/x/y.de.html?z=1"), folder_names("http://a.de/x/Y")
    ('http://a.de/x/*.de.html', 'http://a.de/x/*')
    """
    folder, _, name = url.partition("?")[0].rpartition("/")
    return f"{folder}/*{''.join(name.lower().partition('.')[1:])}"


class FailingNames:
    """Names from which a server gives nothing but errors.

    Either they end alike (sources that only an editor reads, say), or in one folder, too: translations that a menu
    promises and nobody wrote.

    >>> names = FailingNames()
    >>> for number in range(21):
    ...     names.count(7, f"http://a.de/{number}.ly", is_page=False)
    ...     names.count(7, f"http://a.de/x/{number}.de.html", is_page=False)
    ...     names.count(7, f"http://a.de/y/{number}.de.html", is_page=True)
    >>> names.fails(7, "http://a.de/new.ly"), names.fails(7, "http://a.de/new.html"), names.fails(8, "http://b.de/x.ly")
    (True, False, False)
    >>> [names.fails(7, f"http://a.de/{name}") for name in ("x/new.de.html", "x/new.html", "y/new.de.html")]
    [True, False, False]
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str], list[int]] = {}
        self.servers: set[int] = set()

    def count(self, server: int, url: str, *, is_page: bool) -> None:
        """One answer more; pages count once there was an error."""
        for names in (suffix_of(url), folder_names(url)):
            key = server, names
            if not names or (is_page and key not in self._counts and _is_usual(names)):
                continue  # names without an end have nothing in common
            counts = self._counts.setdefault(key, [0, 0])
            counts[is_page] += 1
            if counts[0] > MOST_FAILURES:
                self.servers.add(server)

    def fails(self, server: int, url: str) -> bool:
        """True if a URL is called like those that gave hardly anything but errors."""
        if server not in self.servers:  # most servers: the others were never that bad
            return False
        for names in (suffix_of(url), folder_names(url)):
            errors, pages = self._counts.get((server, names), (0, 0))
            if errors > max(MOST_FAILURES, 10 * pages):
                return True
        return False

    def hope(self, server: int, url: str) -> float:
        """What share of the URLs with such a name is expected to be there.

        >>> names = FailingNames()
        >>> names.hope(7, "http://a.de/x.html"), names.hope(7, "http://a.de/x.ly")
        (1.0, 0.02)
        """
        if self.fails(server, url):
            return 0.0
        suffix = suffix_of(url)
        return 1.0 if _is_usual(suffix) or self._counts.get((server, suffix), (0, 0))[1] else UNUSUAL


def _is_usual(suffix: str) -> bool:
    """True if pages are called so, or no file is."""
    return not suffix.isalpha() or _PAGES.fullmatch(suffix) is not None


def is_no_page(url: str) -> bool:
    """True if a URL ends like a picture, an archive or another file without pages.

    >>> is_no_page("http://a.de/b.PDF"), is_no_page("http://a.de/b.jpg?x=1"), is_no_page("http://a.de/show?f=b.jpg")
    (True, True, False)
    >>> is_no_page("http://a.zip/")
    False
    """
    return _NO_PAGES.search(url.partition("?")[0]) is not None


def is_no_page_type(content_type: str | None) -> bool:
    """True if a Content-Type is that of a picture, a script, a style sheet or another thing that is not read.

    >>> is_no_page_type("text/css; charset=utf-8"), is_no_page_type("Image/SVG+xml"), is_no_page_type("text/html")
    (True, True, False)
    """
    return content_type is not None and _NO_PAGE_TYPES.match(content_type) is not None
