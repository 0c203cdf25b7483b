"""A crawl for Thai pages of a small web that is played on this machine: no network is needed."""

from __future__ import annotations

import random
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

THAI = ("วันนี้อากาศดีมาก", "เราไปตลาดด้วยกัน", "ร้านนี้อาหารอร่อย", "ข่าวล่าสุดประจำวัน", "หนังสือเล่มนี้น่าอ่าน")
ENGLISH = ("The weather is fine today.", "We went to the market.", "Read the latest news.", "Write to us any day.")
SIZE = 12  # pages of a host
#: Every name is this machine, which may be asked as fast as it can answer.
HERE = ("--resolve", "*=127.0.0.1", "--allow-private", "--delay", "0")


def small_web(pages: int) -> list[str]:
    """The URLs of a web that is played from now on: every third host is Thai, and links mostly to Thai ones."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = f"http://{self.headers['Host']}{self.path}"
            self.send_response(200 if url in urls else 404)
            self.end_headers()
            self.wfile.write(page(urls.index(url)).encode() if url in urls else b"")

        def log_message(self, *_: object) -> None: ...

    def page(number: int) -> str:
        chance, thai = random.Random(number), number // SIZE % 3 == 0
        near = urls[number - number % SIZE :][:SIZE]
        far = urls[:: 3 * SIZE] if thai and number % 5 else urls[::SIZE]
        links = (chance.choice(near), near[(number + 1) % len(near)], chance.choice(far))
        text = " ".join(chance.choices(THAI if thai else ENGLISH, k=8))
        return f"<meta charset=utf-8><p>{text}</p>" + " ".join(f"<a href='{link}'>{link}</a>" for link in links)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    urls = [f"http://site{n // SIZE}.example:{server.server_port}/{n % SIZE}.html" for n in range(pages)]
    Thread(target=server.serve_forever, daemon=True).start()
    return urls


if __name__ == "__main__":
    command = [sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--tolerance", "3", "--seeds", "-"]
    seed = small_web(int(sys.argv[1]) if len(sys.argv) > 1 else 400)[0]
    subprocess.run([*command, "-o", "small-web", *HERE], input=seed, text=True, check=True)  # noqa: S603
