"""Faults, told so that a person, a program or a model can act on them."""

from __future__ import annotations


class SynthonError(ValueError):
    """A refused argument, a text that is no molecule, or a call that failed on its data.

    ``str(error)`` is one short sentence.
    """

    code: str
    """Stable name of the fault, such as ``argument.range`` or ``smiles.unclosed_ring``."""
    argument: str | None
    """The argument concerned."""
    position: int | None
    """Zero-based place in the text of the argument, in bytes of UTF-8."""
    hint: str | None
    """A repair to try, or what would be accepted."""

    def __init__(
        self,
        message: str,
        code: str = "",
        argument: str | None = None,
        position: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.argument = argument
        self.position = position
        self.hint = hint

    def __reduce__(self) -> tuple[type[SynthonError], tuple[object, ...]]:
        return type(self), (str(self), self.code, self.argument, self.position, self.hint)
