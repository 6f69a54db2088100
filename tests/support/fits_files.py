"""Binary tables of FITS (FITS Standard 4.0, section 7.3), without a library."""

import struct

BLOCK = 2880


def cards(*pairs):
    """A header: 80 characters a keyword, filled up to whole blocks."""
    def card(name, value):
        text = f"'{value:<8}'" if isinstance(value, str) else f"{'T' if value is True else value:>20}"
        return f"{name:<8}= {text}".ljust(80)

    text = "".join(card(*pair) for pair in pairs) + "END".ljust(80)
    return text.ljust(-(-len(text) // BLOCK) * BLOCK).encode()


def table(columns):
    """A file with one binary table. `columns`: (name, unit, "D" or "E", values)."""
    rows = list(zip(*(values for *_, values in columns)))
    form = ">" + "".join({"D": "d", "E": "f"}[kind] for _, _, kind, _ in columns)
    data = b"".join(struct.pack(form, *row) for row in rows)
    header = [("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", struct.calcsize(form)),
              ("NAXIS2", len(rows)), ("PCOUNT", 0), ("GCOUNT", 1), ("TFIELDS", len(columns))]
    for number, (name, unit, kind, _) in enumerate(columns, 1):
        header += [(f"TTYPE{number}", name), (f"TFORM{number}", kind)] + ([(f"TUNIT{number}", unit)] if unit else [])
    first = cards(("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", True))
    return first + cards(*header) + data.ljust(-(-len(data) // BLOCK) * BLOCK, b"\0")
