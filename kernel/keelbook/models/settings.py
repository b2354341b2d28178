"""The settings of a model: the ``modelSettings:`` table of a profile.

Rules: none is needed to use a well-known model; a key is named by its environment variable and
never stands in a profile, because profiles are shared.
"""

from decimal import Decimal
from typing import Literal

from pydantic import Field, field_validator

from keelbook.config import Config
from keelbook.model import Price


class PriceSettings(Config):
    """Money for a million tokens. Cache prices left out count as the price of input."""

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)

    def price(self) -> Price:
        """The same as exact decimals."""
        return Price(
            currency=self.currency,
            input=Decimal(str(self.input)),
            output=Decimal(str(self.output)),
            cache_read=_exact(self.cache_read),
            cache_write=_exact(self.cache_write),
        )


def _exact(amount: float | None) -> Decimal | None:
    return None if amount is None else Decimal(str(amount))


Effort = Literal["minimal", "low", "medium", "high"]


class ModelSettings(Config):
    """How to reach a model and what is known of it.

    ``base_url`` is the address of a server that speaks the named provider's wire (for OpenAI's it
    ends in ``/v1``). ``api_key_variable`` names the environment variable the key is in, where the
    provider's usual one will not do. ``window`` is the model's input room in tokens, ``max_tokens``
    bounds one reply, ``timeout_s`` is how long the server may stay silent. ``thinking`` is the
    effort asked of a model that reasons. ``images`` false leaves pictures out of what is sent.
    ``check`` says what a replay compares with its recording: every result, or the calls alone.
    """

    base_url: str | None = None
    api_key_variable: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    window: int | None = Field(default=None, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    thinking: Effort | None = None
    timeout_s: float = Field(default=600, gt=0)
    images: bool = True
    price: PriceSettings | None = None
    check: Literal["results", "calls"] = "results"

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError(f"`{value}` is no address; it must begin with http:// or https://.")
        return value
