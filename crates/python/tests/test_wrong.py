"""Wrong questions get the line that the command, the server and the page have for them."""

import json
import pathlib

import destrier
import pytest

WRONG = pathlib.Path(__file__).parents[2] / "ask" / "tests" / "wrong.json"


@pytest.mark.parametrize("case", json.loads(WRONG.read_text(encoding="utf-8")), ids=lambda case: case["python"])
def test_a_wrong_question_gets_the_same_line_from_every_carrier(case):
    with pytest.raises(destrier.QuestionError) as refused:
        eval(f"destrier.{case['python']}")
    assert str(refused.value) == case["says"]
    assert refused.value.field


def test_what_no_other_carrier_can_be_asked():
    with pytest.raises(destrier.QuestionError, match="a question of kind `tour` has no `colour`"):
        destrier.tour(8, 8, colour="red")
    with pytest.raises(destrier.QuestionError, match="a tour by its number comes from unrank"):
        destrier.tour(5, 5, number="3")
    with pytest.raises(TypeError, match="a board is two numbers or one text"):
        destrier.tour("8x8", 8)
    with pytest.raises(TypeError, match="a capture is a puzzle, or `board`, `start` and `pieces`"):
        destrier.capture(board="5x5")
    with pytest.raises(IndexError, match="there is no step 26; this tour has steps 1 to 25"):
        destrier.tour(5, 5).at(26)
    with pytest.raises(KeyError, match="z9 is not on the board"):
        destrier.tour(5, 5).step_of("z9")
    with pytest.raises(destrier.QuestionError, match="is not a square"):
        destrier.tour(5, 5).step_of("?")
    with pytest.raises(destrier.QuestionError, match="tours with a symmetry are not numbered"):
        destrier.rank(destrier.tour(6, 6, closed=True, symmetry="half-turn"))
