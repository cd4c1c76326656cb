"""Generators and release scripts: not part of the wheel, run from the root of the repository.

    python -m tools.campaign           simulate and verify every setting (`make campaign`)
    python -m tools.compare_speed      compare the speed of two checkouts (`make compare-speed`)
    python -m tools.faults             plant known faults, one by one (`make faults`)
    python -m tools.fonts              subset the fonts of the page
    python -m tools.frozen_bots        pin the moves of bots that have no pins
    python -m tools.gallery            take screenshots of the page (`make gallery`, `gallery-all`)
    python -m tools.golden             add golden records for settings that have none
    python -m tools.hand_fixture       write rounds that the page's deal check is tested with
    python -m tools.lock               write the lock files in requirements/ (`make lock`)
    python -m tools.notices            write the notices of the page's npm packages (`make web`)
    python -m tools.packages           build source archive and wheel and try both (`make dist`)
    python -m tools.page_bench         measure the page on a slow phone (`make web-bench`)
    python -m tools.perft              write node counts and move lists, after a changed rule
    python -m tools.rule_pages         link the rules of every game from the documentation
    python -m tools.rule_versions      compare what the versions of calendar sheets do
    python -m tools.site               write the pages that the site is built from (`make docs`)
    python -m tools.terminal_pictures  draw the terminal's pictures in docs/img
    python -m tools.verdicts           write the verdicts that the page is tested against

`tools.container` follows the Containerfile without a container, for `tools.packages` and a test;
`tools.page_size` counts what a table loads without a browser, for `tools.page_bench` and a test.
Tools may import helpers of the tests, such as `tests.strategies`. What shares most of its code with
tests stays there: `tests.attack`, `tests.server.crash`, `.hostile` and `.leaks` are harnesses whose
short runs are tests and whose long runs are commands.
"""
