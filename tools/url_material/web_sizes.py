"""How large languages are on the web: the pages of each in a crawl of all of it.

Figures of Common Crawl's statistics (commoncrawl/cc-crawl-statistics, plots/languages.csv, CC-MAIN-2024-42: pages by
primary language, in thousands; Norwegian is Bokmål and Nynorsk together). Latin is left out: most of what crawls take
for it is filler text.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from url_material.spelling import listed

_THOUSANDS = listed(
    "af 257 am 76 ar 16741 as 61 az 1714 ba 72 be 405 bg 7466 bn 2959 bo 36 br 84 bs 1306 ca 5202 cs "
    "26524 cy 292 da 11579 de 132339 dv 58 el 14293 en 1083513 eo 209 es 113249 et 3308 eu 999 fa 17594 "
    "fi 8594 fo 120 fr 109688 fy 72 ga 176 gd 34 gl 910 gu 283 ha 68 he 6169 hi 5212 hr 5363 ht 47 hu "
    "14096 hy 849 id 28034 ig 17 is 992 it 63083 ja 125806 jv 55 ka 1053 kk 704 km 264 kn 355 ko 18435 ku "
    "184 ky 244 lb 100 lg 5 ln 8 lo 93 lt 4163 lv 2350 mg 91 mi 30 mk 955 ml 670 mn 402 mr 644 ms "
    "1963 mt 122 my 349 ne 1230 nl 45276 no 7960 nso 1 oc 85 om 13 or 142 pa 197 pl 45076 ps 86 pt 57754 "
    "qu 14 rm 25 ro 14916 ru 150820 rw 56 sa 84 sd 42 si 224 sk 9244 sl 3887 sn 15 so 125 sq 1239 sr 5392 "
    "st 15 su 26 sv 16590 sw 240 ta 1179 te 548 tg 161 th 10159 ti 18 tk 53 tl 221 tn 3 tr 30995 ts 1 tt "
    "216 tw 3 ug 26 uk 15063 ur 764 uz 731 vi 26085 wo 4 xh 57 yi 42 yo 25 zh 120091 zu 63"
)
PAGES = {tag: int(number) for tag, number in zip(_THOUSANDS[::2], _THOUSANDS[1::2], strict=True)}
#: What every language has beforehand: what a crawl hardly has is rare, not impossible.
LEAST = 20


def web_sizes(languages: Iterable[str]) -> NDArray[np.float64]:
    """Thousands of pages of each language, and LEAST more."""
    return np.array([PAGES.get(tag, 0) + LEAST for tag in languages], np.float64)
