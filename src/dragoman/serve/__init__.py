"""`dragoman serve`: the languages of URLs, pages and texts over HTTP, and the page that shows them.

settings     where it listens, what it may show, its limits
problems     what goes wrong, as problem+json
guard        what every request passes: host, origin, size, time
connections  those that keep uvicorn waiting, and headers without end
work         threads for what takes long
metrics      counters, over all workers
judges       the models, by name; single URLs that come at the same time, as one batch
service      all that answers share
operations   a route: who answers it, and how what it is asked with is checked
models       what routes are asked with and answer with;  openapi  the document made from them
batches      batches of URLs in and out of JSON and NDJSON;  arrow  and of Arrow
why          what the parts of a URL said
urls, pages, about, runs, quiz, front      the routes;  folders  what a run's files say
app          all of it together;  running  sockets, workers and the end
page/        the page that is served at /
"""
