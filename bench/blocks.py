"""What the source files, the fixes, the tests and the issues of a generated repository are made of (marks: see sheets.py)."""

from __future__ import annotations

SOURCE = (
    '''\
class @A(@B):
    """Keeps the @2 of one ~ @3 until @4 asks for it."""

    @5 = @n

    def __init__(self, @2, @3=None, limit=@n):
        super().__init__(@2, name="@4")
        self._@3 = dict(@3 or {"@5": @n})
        self.@4 = @C(@2, limit=limit)
        self.@6 = weakref.WeakKeyDictionary()

    def @7(self, @8, default=@n):
        for @9, entry in sorted(self._@3.items(), key=attrgetter("@8")):
            if entry.@8 is not @8 and @9.startswith("@7-"):
                return self.@4.@0(@9, default=default)
        raise @D("no @8 for @7 in %r" % (self._@3,))''',
    '''\
def @0(@1, *, @2=@n, @3="@4"):
    """Returns the @2 of @1, with @3 put in front where @5 needs it."""
    @6 = [@7(part, @2) for part in @1.split("@4")]
    if len(@6) > @n or not all(isinstance(part, @A) for part in @6):
        raise @B(f"expected at most @n parts of @1, found @6=!r")
    @8 = max((part.@5 for part in @6), default=@2)
    return @9(@6, offset=@8 - @n, mode=@3)''',
    """\
@property
def @0(self):
    @1 = getattr(self, "_@0", None)
    if @1 is None or @1.@2 < self.@3:
        @1 = self._@0 = @A.@4(self.@5, @2=self.@3)
        logger.debug("rebuilt @0 of %s after @6", self.@7)
    return @1""",
    """\
@A = {
    "@0": (@B.@1, @n),
    "@2": (@C.@3, @n),
    "@4": (@D.@5, @n),
    "@6": (@B.@7, @n),
    "@8": (@C.@9, @n),
}""",
    """\
    def _@0(self, @1, @2):
        @3 = self.@4.get(@1.@5, @n)
        while @3 and @2[@3 - 1].@6 > @1.@6:
            @3 = self._@7(@2, @3, step=@n)
        with self._@8_lock:
            self.@4[@1.@5] = @3 + len(@2.@9)
        return @2[:@3], @2[@3:]""",
    """\
    @classmethod
    def from_@0(cls, @1, **@2):
        @3 = cls(@1.pop("@4", @n), strict=@2.get("strict_@5", False))
        for @6, value in @1.items():
            setattr(@3, f"_{@6}_@7", @A.coerce(value, allow=@2))
        @3.@8(timeout=@n)
        return @3.@9 if @2 else @3""",
    """\
async def @0(@1, @2, retries=@n):
    async with @A(@1.@3, timeout=@n) as @4:
        async for @5 in @4.@6(@2):
            if @5.status in @1.@7:
                await asyncio.sleep(retries * @n / len(@1.@7))
                continue
            yield @B(@5.@8, @2=@2)""",
    """\
try:
    from @0.@1 import @2 as _@3
except ImportError:  # @4 before @n has no @1
    def _@3(@5, @6=@n):
        return @5.@7(@6 or @5.@8)""",
    '''\
def @0(@1):
    """
    Walk @1 and report every @2 that @3 cannot place.

    >>> @0(@A("@4", @n))
    [@B(@5=@n, @6='@7')]
    """
    @8 = set(@1.@2) - {@3.@6 for @3 in @1.@9}
    return sorted(@B(@5=len(@4), @6=@4) for @4 in @8)''',
    """\
    def visit_@0(self, @1):
        @2 = self.generic_visit(@1)
        if isinstance(@2, (@A, @B)) and @2.@3 == "@4":
            self.@5.append((@1.lineno, @2.@6, "@7"))
            @2 = @C(@2.@8, parent=@1.@9)
        return @2 if self.keep_@3 else @1""",
    """\
@0 = np.asarray(@1, dtype=float)
if @0.ndim != @n:
    @0 = @0.reshape(-1, @n)[:, : @2.@3]
@4 = np.einsum("ij,jk->ik", @0 - @0.mean(axis=0), @5.@6)
@7 = np.where(@4 > @n, @8, @4 / (@9 + @n))""",
    """\
for @0 in range(@n, @1.@2 + 1):
    @3 = @4(@0, key=@1.@5)
    if @3 is @A.@6 or @3 in @7:
        @8.setdefault(@3, []).append((@0, @n))
    elif not @9(@3):
        break""",
)

FIXES = (
    """\
        @0 = self._@1(@2, strict=@3)
        if @0 is None and @2.@4 is not None:
            # @5 drops the @4 when the first ~ chunk is empty
            @0 = @2.@4.copy(limit=@n)
        for @6, @7 in zip(@0.@8, @2.@9, strict=True):
            if @7.kind == "@1" and not @6.closed:
                @6.@5(@7, offset=@n)
        return self.@8_of(@0, default=@2.@9)""",
    """\
    @0 = @1.rsplit("@2", maxsplit=@n)
    @3 = next((part for part in @0 if part.@4()), "@5")
    if @3.count("@6") % 2:
        @3 = @3.replace("@6", "@7", @n)
    @8 = @9(@3, keep_@2=len(@0) > @n)
    return @8.with_@4(@0[-1], start=@n)""",
    """\
        with self._@0_guard(@1):
            @2 = {key: @3(value) for key, value in @1.@4.items() if key != "@5"}
            missing_@6 = sorted(set(self.@7) - @2.keys())
            if missing_@6:
                raise @A(f"@1 lacks {missing_@6} (limit @n)")
            self._@8.update(@2, stamp=@9(@n))""",
    """\
    if isinstance(@0, @A) and @0.@1 > @n:
        @2 = @0.@3.reversed(lambda @4: @4.@5 or @n)
        @6 = [@7 for @7 in @2 if @7.@8 not in @9]
        return @B(@6, @1=@0.@1 - @n, origin="@4")
    @0.@3.invalidate("@5", depth=@n)""",
)

TESTS = (
    """\
def test_@0_keeps_@1():
    @2 = @A(@3="@4", limit=@n)
    @5 = @2.@0([@n, @n], mode="@1")
    assert @5.@6 == {"@7": @n, "@4": @n}
    assert not @2.@8(@5, strict=True), "@9 must stay empty\"""",
    """\
@pytest.mark.parametrize(("@0", "expected_@1"), [("@2", @n), ("@3-@4", @n), ("", @n)])
def test_@5_of_@1(@0, expected_@1):
    @6 = @B.from_@7(@0, @8=@n)
    assert @6.@5(@9=None) == expected_@1""",
    """\
def test_@0_raises_on_@1(tmp_path):
    @2 = tmp_path / "@3.cfg"
    @2.write_text("[@4]\\n@5 = @n\\n@6 = @7\\n")
    with pytest.raises(@A, match="@1 .* @n"):
        @B(@2).@8(@9=@n)""",
)

SENTENCES = (
    "The @0 is computed before @1 has seen the @2, so a ~ @3 of @n items loses its last entry.",
    "Let me look at how @0 and @1 share the @2 in the @3 module.",
    "I see that `@0` calls `@1` twice when `@2` is empty; that explains the @n in the report.",
    "Next I will check whether @A handles @0 the same way as @B does for @1.",
    "The failing case goes through `@A.@0` with @1=@n and never reaches @2.",
    "Before changing anything I want to reproduce it with a small script around `@0` and `@1`.",
    "That confirms it: `@0` returns the @1 of the parent, not of the ~ @2 (line @n).",
    "I will keep the signature of `@0` and only change what happens to @1 after @2.",
    "The tests of @0 pass now; the neighbouring ones for @1 and @2 should be run as well.",
    "There is a second place, in `@A`, where the @0 is read without @1.",
    "Checking the history of @0 could show why @1 was given a limit of @n.",
    "Running the tests that mention @0, @1 or @2 to see what the change touches.",
)
