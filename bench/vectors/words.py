"""Sub-words and stems as the engine has them: the lists are read from its source."""

import re
from pathlib import Path

SOURCE = (Path(__file__).parents[2] / "core/src/search/ranking/words.rs").read_text()


def listed(name):
    return re.search(rf"^const {name}: [^=]*= &\[(.*?)\n?\];", SOURCE, re.M | re.S)[1]


STOP_WORDS = set(re.findall(r'"([^"]*)"', listed("STOP_WORDS")))
ENDINGS = [(ending, int(before)) for ending, before in re.findall(r'\("([^"]*)", (\d+)\)', listed("ENDINGS"))]
DOUBLING = set(re.findall(r'"([^"]*)"', listed("DOUBLING")))
SHORT = int(re.search(r"^const SHORT: usize = (\d+);", SOURCE, re.M)[1])
SUB_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


def stem(word):
    """Returns the stem of a word of lower-case letters: `stem_len` of the engine."""
    if len(word) <= SHORT:
        return word
    if word.endswith(("ies", "ied")) and len(word) - 3 >= SHORT:
        found = word[:-3]
        return found[:-3] if len(found) >= 7 and found.endswith(("enc", "anc")) else found
    found = word
    if found.endswith("s") and not found.endswith(("ss", "us", "is")):
        found = found[:-1]
    ending = next((end for end, before in ENDINGS if len(found) >= len(end) + before and found.endswith(end)), "")
    found = found[: len(found) - len(ending)]
    is_doubled = len(found) > 1 and found[-1] == found[-2] and found[-1] not in "lsz" and ending in DOUBLING
    return found[:-1] if is_doubled and len(found) > SHORT else found


class Stems:
    """The stems of texts, with a memory of the sub-words seen."""

    def __init__(self, without=()):
        self.without = STOP_WORDS | set(without)
        self.known = {}

    def of(self, text, most):
        found = []
        for word in SUB_WORD.findall(text):
            if word not in self.known:
                lower = word.lower()
                is_counted = 2 <= len(lower) <= 24 and lower not in self.without
                self.known[word] = stem(lower) if is_counted else None
            if self.known[word]:
                found.append(self.known[word])
                if len(found) == most:
                    break
        return found


# The engine's own cases.
for forms in re.findall(r"^            &\[(.*?)\](?:\[\.\.\])?,$", SOURCE.split("fn forms_of_a_word_share_a_stem")[1], re.M):
    stems = {stem(word) for word in re.findall(r'"([^"]*)"', forms)}
    assert len(stems) == 1, stems
