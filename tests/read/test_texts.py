"""Texts of topics and documents, wherever they are."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from isal import igzip

from irpref import InputError
from irpref.read.texts import read_texts
from tests.read.files import mutated

WANTED = ["2", "9"]


@pytest.mark.parametrize(
    "content",
    [
        "1\tslugs\n2\tcompost heap\n",
        "\ufeff1\tslugs\r\n\r\n2\tcompost heap\r\n",
        "qid\tquery\n1\tslugs\n2\tcompost heap\n",
        "query_id\ttitle\tdescription\n2\tcompost\theap\n",
        '{"_id": "1", "text": "slugs"}\n{"_id": "2", "text": "compost heap"}\n',
        '{"id": 2, "title": "compost", "text": "heap", "url": "http://x", "metadata": {}}\n',
        '{"qid": "2", "words": "compost heap"}\n',
    ],
    ids=["tsv", "windows", "header", "two-columns", "json", "title", "other-name"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_the_texts_that_are_there_are_found(content: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "topics"
    data = content.encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read_texts(path, WANTED, "topic") == {"2": "compost heap"}


def test_reading_ends_where_all_is_found(tmp_path: Path) -> None:
    path = tmp_path / "documents.tsv"
    path.write_text("d1\tfirst\nd2\tsecond\nno tab here\n")
    assert read_texts(path, ["d2", "d1"], "document") == {"d1": "first", "d2": "second"}
    with pytest.raises(InputError, match="line 3: the line has no tab"):
        read_texts(path, ["d3"], "document")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"1 slugs\n", "line 1: the line has no tab"),
        (b"1\tslugs\n2\t\xff\n", "line 2: the line has a byte that is not valid UTF-8"),
        (b'{"_id": "1", "text": "a"}\n{"_id": \n', "line 2: this is no JSON"),
        (b'{"_id": "1", "text": "a"}\n[1]\n', "line 2: this is no JSON object"),
        (
            b'{"number of it": "1"}\n',
            "line 1: no column has a known name for the topic, such as topic_id or id ",
        ),
        (b"1\tslugs\n", "none of the 2 topics asked for, such as '2'; its first id is '1'"),
        (b"", "none of the 2 topics asked for, such as '2'$"),
        (gzip.compress(b"1\tslugs\n" * 99)[:-9], "gzip file is cut short"),
        (b"1\tslugs\n\n\xef\xbb\xbf2\theap\n", "line 3: the line begins with a byte order mark"),
        (b"1\tslugs\r\n\xef\xbb\xbf2\theap\r\n", "line 2: the line begins with a byte order mark"),
        (b"\xef\xbb\xbf\xef\xbb\xbf2\theap\n", "line 1: the line begins with a byte order mark"),
        (
            b'{"id": "1"}\n\xef\xbb\xbf{"id": "2"}\n',
            "line 2: the line begins with a byte order mark",
        ),
        ("1\tslugs\n".encode("utf-16"), "this text is in UTF-16; save the file in UTF-8"),
        (bz2.compress(b"1\tslugs\n"), "this is a file packed by bzip2; unpack it first"),
    ],
    ids=[
        *("no-tab", "utf-8", "json", "array", "no-id", "others", "empty", "cut-short"),
        *("mark", "mark-windows", "two-marks", "mark-json", "utf-16", "packed"),
    ],
)
def test_what_cannot_be_used_is_an_error_that_says_where(
    content: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "topics.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        read_texts(path, WANTED, "topic")
    assert caught.value.source == str(path)


def test_half_of_a_character_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text('{"_id": "1", "text": "half \\ud800"}\n')
    assert read_texts(path, ["1"], "topic") == {"1": r"half \ud800"}


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "none", "there is no such file"),
        (tmp_path, "this is a directory"),
    ):
        with pytest.raises(InputError, match=said):
            read_texts(path, WANTED, "topic")


@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read_from_its_first_byte_and_once(packed: bool, tmp_path: Path) -> None:
    """Its second block begins with a number before a tab, which would be a text too."""
    lines = [f"{topic:05d}\ttopic {topic}\n".encode() for topic in range(20_000)]
    data = gzip.compress(b"".join(lines)) if packed else b"".join(lines)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    # One byte goes ahead: what a pipe gives first may be short.
    pieces = [data[:1], data[1:3], data[3:]]
    writer = threading.Thread(target=_write, args=(fifo, pieces))
    writer.start()
    wanted = ["00000", "00003", "19999"]
    assert read_texts(fifo, wanted, "topic") == {each: f"topic {int(each)}" for each in wanted}
    writer.join()


def _write(fifo: Path, pieces: list[bytes]) -> None:
    with fifo.open("wb", buffering=0) as file:
        for piece in pieces:
            file.write(piece)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_open_file_is_read_and_stays_open(pack: Callable[[bytes], bytes]) -> None:
    file = io.BytesIO(pack(b"1\tslugs\n2\tcompost heap\n"))
    assert read_texts(file, WANTED, "topic") == {"2": "compost heap"}
    assert not file.closed
    with pytest.raises(InputError, match=r"^the texts of topics: this has none of the 2 topics"):
        read_texts(file, WANTED, "topic")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(InputError, match=f"{device}: this is a device, not a file"):
        read_texts(device, WANTED, "topic")


def test_neither_a_line_nor_a_gzip_file_grows_without_bound(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(igzip.compress(bytes(1 << 24)) * 40)
    with pytest.raises(InputError, match="line 1: the line is longer than 64 MB"):
        read_texts(path, WANTED, "topic")
    path.write_bytes(gzip.compress(b"1\t" + bytes(1 << 24) + b"\n") * 40)
    with pytest.raises(InputError, match="the file grows to more than 300 times its size"):
        read_texts(path, WANTED, "topic")


def test_a_damaged_gzip_file_is_read_or_refused() -> None:
    """Whatever is wrong with it, there is no other error."""
    rng = random.Random(33)
    packed = gzip.compress(b"".join(b"%d\t%x\n" % (i, rng.getrandbits(200)) for i in range(300)))
    wanted = [str(topic) for topic in range(300)]
    whole = read_texts(io.BytesIO(packed), wanted, "topic")
    refused = 0
    for _ in range(300):
        damaged = mutated(packed, rng)
        try:
            found = read_texts(io.BytesIO(damaged), wanted, "topic")
        except InputError:
            refused += 1
        else:
            assert found == whole
    assert refused > 200


def test_a_dataset_of_ir_datasets_gives_its_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    import ir_datasets
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import BaseDocs, BaseQueries, GenericDoc, GenericQuery
    from ir_datasets.indices import PickleLz4FullStore  # noqa: F401  (that stores exist at all)

    class Queries(BaseQueries):
        def queries_iter(self):  # type: ignore[no-untyped-def]
            return iter([GenericQuery("1", "slugs"), GenericQuery("2", "compost heap")])

    class Store:
        def get_many(self, wanted: list[str]) -> dict[str, GenericDoc]:
            return {"2": GenericDoc("2", "a heap")} if "2" in wanted else {}

    class Docs(BaseDocs):
        def docs_store(self) -> Store:
            return Store()

    ir_datasets.registry.register("irpref-made-up", Dataset(Queries(), Docs()))
    assert read_texts("irpref-made-up", WANTED, "topic") == {"2": "compost heap"}
    assert read_texts("irpref-made-up", WANTED, "document") == {"2": "a heap"}
    ir_datasets.registry.register("irpref-no-texts", Dataset())
    with pytest.raises(InputError, match="has no texts of documents"):
        read_texts("irpref-no-texts", WANTED, "document")
