"""Reads PNG files of eight bits a channel with nothing but zlib and numpy, by the standard (ISO/IEC 15948)."""

import struct
import zlib

import numpy
from tessera_runs import check


def chunks(path):
    """(kind, data) of each chunk, whose checksums are right."""
    data = path.read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path.name} is no PNG")
    found, at = [], 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        check(struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body), f"{path.name}: {kind}")
        found.append((kind, body))
        at += 12 + length
    check(found[0][0] == b"IHDR" and found[-1] == (b"IEND", b""), f"{path.name}: its first and last chunk")
    return found


def paeth(left, above, corner):
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]


def unfiltered(kind, line, above, channels):
    line = list(line)
    check(kind in (0, 4), f"filter {kind}")
    for i in range(len(line) if kind == 4 else 0):
        left, corner = (line[i - channels], above[i - channels]) if i >= channels else (0, 0)
        line[i] = (line[i] + paeth(left, above[i], corner)) & 255
    return line


def read_png(path):
    """The pixels [row, column, channel], with three or four channels."""
    found = chunks(path)
    width, height, bits, color, *rest = struct.unpack(">IIBBBBB", found[0][1])
    check(bits == 8 and color in (2, 6) and rest == [0, 0, 0], f"{path.name}: {bits} bits, colour {color}, {rest}")
    channels = {2: 3, 6: 4}[color]
    raw = zlib.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))
    size = width * channels
    check(len(raw) == height * (size + 1), f"{path.name}: {len(raw)} bytes of rows")
    rows, above = [], [0] * size
    for y in range(height):
        start = y * (size + 1)
        above = unfiltered(raw[start], raw[start + 1:start + 1 + size], above, channels)
        rows.append(above)
    return numpy.array(rows, dtype=int).reshape(height, width, channels)
