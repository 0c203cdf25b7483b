"""What all answers of a worker share: settings, models, threads and counters."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request

from dragoman.errors import BadTable, UsageError, need
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.track import track
from dragoman.identifiers.track.tracker import shipped as lexicon
from dragoman.serve import batches
from dragoman.serve.judges import Judges, UrlsTogether
from dragoman.serve.metrics import Metrics
from dragoman.serve.settings import ServiceSettings
from dragoman.serve.work import Rooms
from dragoman.studies.url_2008.quiz import SHIPPED, Quiz


@dataclass(eq=False)
class Service:
    """All models are opened when it is made; UsageError where the settings make no sense."""

    settings: ServiceSettings
    judges: Judges = field(init=False)
    single_urls: UrlsTogether = field(init=False)
    quiz: Quiz = field(init=False)
    metrics: Metrics = field(init=False)
    rooms: Rooms = field(init=False)

    def __post_init__(self) -> None:
        self.judges = Judges(self.settings.model)
        self.single_urls = UrlsTogether(self.judges.default)
        try:
            self.quiz = Quiz.read(self.settings.quiz or SHIPPED, self.judges.default.model)
        except BadTable as error:
            raise UsageError(str(error)) from None
        self.metrics = Metrics()
        self.rooms = Rooms(self.settings.limits)
        open_method()
        lexicon()
        for module in ("pyarrow.compute", "pyarrow.ipc"):
            need("serve", module)

    def warm_up(self) -> None:
        """Do a little of everything, so that the first request for it does not wait."""
        identify_text("Das ist ein Haus.".encode("utf-16"))
        track(read_page("<p>Ça va ?".encode("latin-1")))
        rows = batches.from_json(["http://www.wetter.de/", None], self.settings.limits.url)
        batches.to_arrow(rows, self.judges.default.answers(rows.batch))


def service_of(request: Request) -> Service:
    """What answers the request."""
    service: Service = request.app.state.service
    return service
