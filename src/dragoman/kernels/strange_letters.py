"""Letters that some classes of a text model lack: what text.c counts against them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

#: Code points that have a script: as in text.h.
_POINTS = 0x30000


@dataclass(frozen=True, eq=False)
class StrangeLetters:
    """Letters by their code points, which rise; and which classes lack each: 1 in the column of the class."""

    points: NDArray[np.uint32]
    lacking: NDArray[np.uint8]
    #: The row of every code point, counted from 1; 0 where no class lacks it.
    row: NDArray[np.uint16] = field(init=False)

    def __post_init__(self) -> None:
        if (
            self.lacking.ndim != 2
            or len(self.lacking) != len(self.points)
            or np.any(self.points[1:] <= self.points[:-1])
            or (len(self.points) and (len(self.points) >= 1 << 16 or int(self.points[-1]) >= _POINTS))
        ):
            raise ValueError("letters and the classes that lack them do not fit each other")
        row = np.zeros(_POINTS, np.uint16)
        row[self.points] = np.arange(1, len(self.points) + 1)
        object.__setattr__(self, "row", row)

    @classmethod
    def none(cls, classes: int) -> Self:
        """No letters."""
        return cls(np.zeros(0, np.uint32), np.zeros((0, classes), np.uint8))

    @classmethod
    def from_arrays(cls, points: NDArray[np.uint32], packed: NDArray[np.uint8], classes: int) -> Self:
        """The letters of `arrays`."""
        return cls(points, np.unpackbits(packed, axis=1, count=classes))

    @property
    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """(points, packed): what is kept in a file, a bit for each class."""
        return self.points, np.packbits(self.lacking, axis=1)

    @property
    def fields(self) -> dict[str, NDArray[Any]]:
        """The fields of `text_model` in text.c."""
        return {"strange": self.row, "lacking": self.lacking}
