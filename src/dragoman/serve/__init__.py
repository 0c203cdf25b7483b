"""`dragoman serve`: the languages of URLs, pages and texts over HTTP, and the page that shows them.

settings    where it listens, what it may show, its limits
problems    what goes wrong, as problem+json
guard       what every request passes: host, origin, size, time
protocol    connections: how many, how slow
work        threads for what takes long
metrics     counters, over all workers
judges      the models, by name;  state  all that answers share
together    single URLs that come at the same time, as one batch
batches     batches of URLs in and out of JSON and NDJSON;  arrow  and of Arrow
why         what the parts of a URL said
urls, pages, about, runs, quiz, front      the routes;  folders  what a run's files say
described   what OpenAPI says about them
app         all of it together
running     sockets and the end;  workers  several processes
page/       the page that is served at /
"""
