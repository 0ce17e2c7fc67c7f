"""Products with the same matrices, asked for by several searches, made in one pass for all."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from kpca.gram import Gram
from kpca.threads import pinned_blas
from kpca.types import Array, Floats

Result = TypeVar("Result")


class Together:
    """A place where searches meet before every product.

    Each search runs in a thread of its own and waits at its product until all others wait at
    theirs, or have ended. The last to come multiplies the blocks of all at once. Blocks are put
    side by side in the order of the searches, so that results repeat.

    Parameters
    ----------
    parties : int
        Number of searches.
    """

    def __init__(self, parties: int) -> None:
        self._running = parties
        self._asked: dict[int, tuple[Gram, Array]] = {}
        self._answers: dict[int, Floats | BaseException] = {}
        self._meeting = threading.Condition()

    def product(self, party: int, gram: Gram, V: Array) -> Floats:
        """Give gram · V, when all searches have asked for something."""
        with self._meeting:
            self._asked[party] = gram, V
            self._answer_if_all_wait()
            self._meeting.wait_for(lambda: party in self._answers)
            answer = self._answers.pop(party)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def leave(self) -> None:
        """Say that a search has ended."""
        with self._meeting:
            self._running -= 1
            self._answer_if_all_wait()

    def _answer_if_all_wait(self) -> None:
        if not self._asked or len(self._asked) < self._running:
            return
        grams = {id(gram): gram for gram, _ in self._asked.values()}
        for gram in grams.values():
            parties = sorted(p for p, (asked, _) in self._asked.items() if asked is gram)
            self._answers |= _multiply(gram, {p: self._asked[p][1] for p in parties})
        self._asked = {}
        self._meeting.notify_all()


def _multiply(gram: Gram, blocks: dict[int, Array]) -> dict[int, Floats | BaseException]:
    """Multiply all blocks at once; an error goes to everyone who waits."""
    edges = np.cumsum([block.shape[1] for block in blocks.values()])[:-1]
    try:
        product = gram.matmul(np.hstack(list(blocks.values())))
    except BaseException as error:
        return dict.fromkeys(blocks, error)
    return dict(zip(blocks, np.split(product, edges, axis=1), strict=True))


class SharedGram:
    """A Gram operator whose products are made together with those of other searches."""

    def __init__(self, gram: Gram, together: Together, party: int) -> None:
        self.n = gram.n
        self.dtype = gram.dtype
        self.passes = 0
        self._gram = gram
        self._together = together
        self._party = party

    def matmul(self, V: Array) -> Floats:
        """K V in float64."""
        self.passes += 1
        return self._together.product(self._party, self._gram, V)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._gram.diagonal()


def run_together(searches: Sequence[Callable[[Together, int], Result]]) -> list[Result]:
    """Run searches side by side and give their results; the first error is raised again.

    Parameters
    ----------
    searches : sequence of callables
        (meeting place, own number) → result; each in its own thread.
    """
    together = Together(len(searches))
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}

    def run(party: int) -> None:
        try:
            results[party] = searches[party](together, party)
        except BaseException as error:
            errors[party] = error
        finally:
            together.leave()

    with pinned_blas():
        threads = [threading.Thread(target=run, args=(p,)) for p in range(len(searches))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[min(errors)]
    return [results[party] for party in range(len(searches))]
