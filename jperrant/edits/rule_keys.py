"""What may stand in a rule of a pack and in a pair of edits that are one error; names only, nothing is compiled."""

from __future__ import annotations

#: Keys of a rule and what they hold.
RULE_KEYS: dict[str, str] = {
    "name": "a short description of the rule, shown in error messages",
    "when": "a mapping of conditions that must all hold; without it, the rule always fires",
    "type": 'the label, or a pattern of properties such as `"{class}:INFL"` or `"{table[deprel]}"`',
    "rules": "nested rules; if none of them fires, the search continues below",
    "drop_last": "`true`: start again without the last token on both sides",
}

#: Keys of an entry and what they hold.
ONE_ERROR_KEYS: dict[str, str] = {
    "name": "a short description of the error, shown in error messages",
    "edits": "two mappings of conditions, one for each edit, as under `when` in a rule",
    "within": "the maximum number of unchanged tokens between the two; default: 0",
    "ordered": "`true`: the first mapping applies to the first edit; otherwise the two may be in either order",
}
