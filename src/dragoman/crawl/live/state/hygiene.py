"""What addresses carry that is not of the page: sessions and campaigns, and names of files that are no pages."""

from __future__ import annotations

import re

NO_PAGE = "no page, by the end of its name"

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


def is_no_page(url: str) -> bool:
    """True if a URL ends like a picture, an archive or another file without pages.

    >>> is_no_page("http://a.de/b.PDF"), is_no_page("http://a.de/b.jpg?x=1"), is_no_page("http://a.de/show?f=b.jpg")
    (True, True, False)
    >>> is_no_page("http://a.zip/")
    False
    """
    return _NO_PAGES.search(url.partition("?")[0]) is not None
