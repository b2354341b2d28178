"""Model names: what is known, what was meant, and what is said when there is none."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from packaging.version import Version

from keelbook.errors import BadConfig, ModelFailed
from keelbook.models import ModelSettings, make
from keelbook.models.names import PROVIDERS
from tests.models.requests import request, says


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("opnai:gpt-5", "No model provider is called `opnai`; did you mean `openai:gpt-5`?"),
        ("gpt-5", "The model name `gpt-5` lacks its provider; did you mean `openai:gpt-5`?"),
        ("claude-x", "The model name `claude-x` lacks its provider; did you mean "
         "`anthropic:claude-x`?"),
        ("tour.yaml", "The model name `tour.yaml` lacks its kind; did you mean "
         "`scripted:tour.yaml`?"),
        ("a.jsonl", "The model name `a.jsonl` lacks its kind; did you mean `replay:a.jsonl`?"),
        ("zzzz", "The model name `zzzz` lacks its provider; a name looks like `openai:gpt-5`, "
         "`ollama:qwen3` or `scripted:lesson.yaml`."),
        ("openai:", "The model name `openai:` ends after its colon."),
    ],
)  # fmt: skip
def test_an_unknown_name_is_one_sentence_with_the_nearest(name: str, sentence: str) -> None:
    with pytest.raises(BadConfig) as caught:
        make(name)
    assert caught.value.sentence == sentence


def test_the_known_providers_are_those_the_library_can_make_a_model_of() -> None:
    from pydantic_ai.models import known_model_names
    from pydantic_ai.providers import infer_provider_class

    named = {name.split(":")[0].removeprefix("gateway/") for name in known_model_names()}
    assert named - PROVIDERS <= {"test", "google-decisions", "openai-decisions"}
    unknown = set()
    for provider in PROVIDERS:
        try:
            infer_provider_class(provider)
        except ImportError:
            continue  # its package is an extra; the name is known all the same
        except ValueError:
            unknown.add(provider)
    if Version(version("pydantic-ai-slim")) >= Version("2.68"):
        assert unknown == set()


async def test_without_a_model_three_lines_say_how_to_set_one_and_how_to_see_the_demo() -> None:
    model = make("  ")
    with pytest.raises(ModelFailed) as caught:
        await model.request(request(says("hello")), lambda words: None)
    lines = caught.value.sentence.splitlines()
    assert caught.value.kind == "no-model"
    assert len(lines) == 3
    assert all(each in lines[1] for each in ("KEELBOOK_MODEL=", "`model:`", "`%%agent --model"))
    assert "keelbook demo" in lines[2]


def test_an_address_goes_only_with_a_wire_that_others_speak(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(BadConfig, match=r"`baseUrl` goes with .* not with `groq`"):
        make("groq:x", ModelSettings(base_url="http://127.0.0.1:1/v1"))
    with pytest.raises(BadConfig, match="`openai-compatible` needs an address"):
        make("openai-compatible:x")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert make("openai-compatible:x").name == "openai-compatible:x"


def test_what_is_known_of_a_model_comes_from_its_settings() -> None:
    settings = ModelSettings.model_validate(
        {"window": 8192, "images": False, "price": {"input": 0.1, "output": 2}}
    )
    model = make("openai:gpt-5", settings)
    assert (model.window, model.images) == (8192, False)
    assert model.price is not None
    assert str(model.price.input) == "0.1"
    assert make("openai:gpt-5").window is None
