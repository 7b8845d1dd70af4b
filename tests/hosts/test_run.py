"""What the script for the hosts' own tests says of two runs of a suite."""

from __future__ import annotations

from collections import Counter

from tests.hosts.run import changes, results_of

REPORT = """<testsuites><testsuite>
<testcase classname="t" name="good"/>
<testcase classname="t" name="bad"><failure message="no"/></testcase>
<testcase classname="t" name="away"><skipped/></testcase>
<testcase classname="t" name="parts"/>
<testcase classname="t" name="parts"><failure/></testcase>
</testsuite></testsuites>"""


def test_subtests_of_one_name_are_counted() -> None:
    assert results_of(REPORT) == {
        "t::good": Counter(passed=1),
        "t::bad": Counter(failed=1),
        "t::away": Counter(skipped=1),
        "t::parts": Counter(passed=1, failed=1),
    }


def test_equal_results_are_no_change_and_others_are_named() -> None:
    before = results_of(REPORT)
    assert changes(before, results_of(REPORT)) == []
    after = results_of(REPORT.replace('<failure message="no"/>', "").replace("away", "gone"))
    assert changes(before, after) == [
        "t::away: 1 skipped -> not run",
        "t::bad: 1 failed -> 1 passed",
        "t::gone: not run -> 1 skipped",
    ]
