"""The style sheet of the report page: light and dark, wide and narrow."""

from __future__ import annotations

STYLE = """
:root{--ink:#1d2430;--soft:#5a6472;--paper:#fff;--panel:#f4f6f8;--line:#d5dbe2;--theirs:#6b5b4b;--ours:#005a9c;
--mark:#b34700;--stripe:#f8fafb}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#a3adba;--paper:#14181e;--panel:#1d232b;
--line:#37414d;--theirs:#cdb79f;--ours:#7cc0f5;--mark:#ffa05c;--stripe:#191e25}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0 auto;padding:1.5rem 1.25rem 4rem;max-width:76rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0 .75rem;text-wrap:balance}
h2{font-size:1.35rem;line-height:1.25;margin:2.5rem 0 .75rem;padding-bottom:.3rem;
border-bottom:1px solid var(--line)}
p,ul{max-width:46rem}
p.lead{font-size:1.1rem;color:var(--soft);margin-top:0}
a{color:var(--ours)}
code{font:.92em ui-monospace,"SFMono-Regular",Menlo,"DejaVu Sans Mono",monospace;background:var(--panel);
padding:.1em .3em;border-radius:.25em;overflow-wrap:anywhere}
nav{background:var(--panel);border-radius:.5rem;padding:.75rem 1.25rem;margin:1.25rem 0}
nav h2{font-size:1rem;margin:0 0 .25rem;border:0;padding:0}
nav ol{margin:0;padding-left:1.4rem;columns:18rem auto;column-gap:2rem}
nav li{break-inside:avoid;padding:.1rem 0}
figure{margin:1.5rem 0}
figcaption{color:var(--soft);font-size:.95rem;max-width:46rem}
figure.table figcaption{color:var(--ink);font-weight:600;margin-bottom:.4rem}
.scroll{overflow-x:auto;max-width:100%;border:1px solid var(--line);border-radius:.4rem}
figure.table .scroll{width:fit-content}
.scroll:focus-visible{outline:2px solid var(--ours);outline-offset:2px}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;line-height:1.35}
th,td{padding:.32rem .7rem;text-align:right;white-space:nowrap;vertical-align:top}
th.text,td.text,th.group{text-align:left}
td.long{white-space:normal;min-width:14rem;max-width:30rem}
thead th{white-space:normal;text-wrap:balance}
thead th.pair{min-width:6.2rem}
th.group.long{white-space:normal;min-width:9rem;max-width:17rem}
thead th{background:var(--panel);border-bottom:1px solid var(--line);vertical-align:bottom;font-weight:600}
tbody th.group{font-weight:600;background:var(--paper)}
tbody tr:nth-child(even) td{background:var(--stripe)}
tbody tr.start+tr.start>*,tbody tr:not(.start)+tr.start>*{border-top:1px solid var(--line)}
.theirs{color:var(--theirs)}
.ours{color:var(--ours);font-weight:600}
.bar{color:var(--line);padding:0 .35em}
.key{display:block;font-weight:400;font-size:.8rem;color:var(--soft);white-space:nowrap}
.key .theirs{padding-right:.3em}.key .ours{padding-left:.3em}
.interval{color:var(--soft);font-weight:400;font-size:.82rem}
.sign{color:var(--mark);font-weight:700;line-height:0}
.theirs .sign{margin-right:-.45em}
p.note{color:var(--soft);font-size:.88rem;margin:.4rem 0 0}
p.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;background:var(--panel);border-radius:.4rem;
padding:.5rem .9rem;font-size:.92rem;width:fit-content}
p.legend .theirs,p.legend .ours{font-weight:600}
figure.picture .scroll{background:#fff;width:fit-content}
figure.picture img{display:block;max-width:100%;height:auto;padding:.5rem}
figure.picture figcaption{margin-top:.5rem}
pre{background:var(--panel);padding:.75rem 1rem;
font:.85rem/1.45 ui-monospace,Menlo,"DejaVu Sans Mono",monospace}
footer{margin-top:3rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem;
overflow-wrap:anywhere}
@media (max-width:40rem){body{padding:1rem .9rem 3rem}h1{font-size:1.5rem}h2{font-size:1.2rem}
th,td{padding:.3rem .5rem}table{font-size:.84rem}td.long{min-width:9rem}
th.group,th.group.long{white-space:normal;min-width:0;max-width:8rem}
th.group.long{min-width:7.5rem}
figure.picture img{max-width:none;width:max(100%,calc(var(--wide)*.8))}}
@media print{.scroll{overflow:visible;border:0}nav{display:none}}
"""
