"""Random damage to a result file that knows what HDF5 files are made of: values, shapes, types, attributes, links,
storage, bytes. The same random numbers give the same damage."""

import h5py
import numpy

numpy.seterr(all="ignore")
HUGE = 2**60
ODD_REALS = (numpy.nan, numpy.inf, -numpy.inf, -1.0, 0.0, 1e308, 5e-324, 2.0**40)
ODD_WHOLES = (-1, 0, 1, 2, 2**31 - 1, 2**31, 2**40, 2**63 - 1, -2**63)


def parts(file):
    """Paths of all groups and datasets, and (path, name) of all attributes."""
    nodes = []
    file.visit(nodes.append)
    return nodes, [(node, name) for node in ["/", *nodes] for name in file[node].attrs]


def odd_value(random, dtype):
    """A value for a place of that type that no run would write there."""
    if dtype.kind == "f":
        return random.choice(ODD_REALS)
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return random.choice([value for value in ODD_WHOLES if limits.min <= value <= limits.max])
    return random.choice((b"", b"x" * 300, b"../evil", b"a\0b", b"\xff\xfe", b"line\nbreak\x1b[2J"))


def replaced(file, path, **how):
    attributes = dict(file[path].attrs)
    del file[path]
    made = file.create_dataset(path, **how)
    for name, value in attributes.items():
        made.attrs[name] = value
    return made


def change_value(random, file, path):
    data = file[path]
    if data.size == 0:
        return
    at = tuple(random.randrange(length) for length in data.shape)
    if data.dtype.names:
        row = data[at]
        column = random.choice(data.dtype.names)
        row[column] = odd_value(random, row.dtype[column])
        data[at] = row
    elif data.dtype.kind == "O":
        data[at] = random.choice(("", "x" * 70000, "../evil", "größer\n", "HOMO"))
    else:
        data[at] = odd_value(random, data.dtype)


def change_shape(random, file, path):
    values = file[path][()]
    if not isinstance(values, numpy.ndarray):
        return
    dtype = file[path].dtype
    shapes = [values.ravel(), values[None], values[..., None], values[:0], values[1:], values.T,
              numpy.concatenate([values, values]) if values.ndim else values, values.ravel()[:1].reshape(())
              if values.size else values]
    replaced(file, path, data=random.choice(shapes), dtype=dtype)


def change_type(random, file, path):
    values = file[path][()]
    count = max(1, numpy.size(values))
    types = ("i1", "<u8", ">i8", ">f8", ">i4", "f2", "g", "S3", "S70000", "V7", "(3,)f8", "c16", "?")
    choice = random.randrange(len(types) + 4)
    if choice < len(types):
        dtype = numpy.dtype(types[choice])
        shape = numpy.shape(values)
        try:
            replaced(file, path, data=numpy.asarray(values).astype(dtype) if dtype.kind in "iuf" else
                     numpy.zeros(shape, dtype))
        except (ValueError, TypeError):
            replaced(file, path, data=numpy.zeros(shape, dtype))
    elif choice == len(types):
        replaced(file, path, shape=(count,), dtype=h5py.string_dtype(), data=["text"] * count)
    elif choice == len(types) + 1:
        replaced(file, path, shape=(count,), dtype=h5py.ref_dtype)
    elif choice == len(types) + 2:
        replaced(file, path, shape=(count,), dtype=h5py.enum_dtype({"NO": 0, "YES": 1}, basetype="i8"))
    else:
        columns = [("host", "f8"), ("seconds", "S5"), ("tiles_done", h5py.string_dtype()), ("name", "(2,)i4")]
        replaced(file, path, shape=(count,), dtype=numpy.dtype(random.sample(columns, 2)))


def claim_much(random, file, path):
    """Few bytes that say they are many."""
    dtype = file[path].dtype
    rest = file[path].shape[1:]
    number = random.choice((2**28, 2**40, HUGE))
    choice = random.randrange(5)
    if choice == 0:  # chunks that are not there
        replaced(file, path, shape=(number, *rest), dtype=dtype, chunks=(1024, *(1 for _ in rest)))
    elif choice == 1:  # nothing was ever written
        replaced(file, path, shape=(2**28, *rest), dtype=dtype)
    elif choice == 2 and dtype.kind in "iuf":  # a hole in the file
        made = replaced(file, path, shape=(2**28,), dtype="i1")
        made[-1] = 1
    elif choice == 3 and dtype.kind in "iuf":  # packed a thousandfold
        replaced(file, path, data=numpy.zeros(2**25, dtype), chunks=(2**22,), compression="gzip")
    else:
        replaced(file, path, shape=(1, 200000), dtype=dtype, chunks=(1, 1000))


def repack(random, file, path):
    """Another storage of the same values: to be read as before, or refused."""
    values = file[path][()]
    if numpy.ndim(values) == 0 or numpy.size(values) == 0 or values.dtype.kind == "O":
        return
    how = random.choice(({"compression": "gzip", "shuffle": True}, {"fletcher32": True}, {"compression": "lzf"},
                         {"scaleoffset": 0} if values.dtype.kind in "iu" else {"compression": "gzip"}))
    replaced(file, path, data=values, chunks=values.shape, **how)


def relink(random, file, path):
    attributes = dict(file[path].attrs)
    data = file[path] if isinstance(file[path], h5py.Dataset) else None
    shape, dtype = (data.shape, data.dtype) if data is not None else ((1,), "f8")
    nodes, _ = parts(file)
    other = random.choice(nodes)
    choice = random.randrange(8)
    del file[path]
    if choice == 0:
        file[path] = h5py.SoftLink(f"/{path}")
    elif choice == 1:
        file[path] = h5py.ExternalLink("run.h5", path)
    elif choice == 2 and other in file:
        file[path] = file[other]
    elif choice == 3:
        file.create_group(path)
    elif choice == 4 and dtype != object:
        size = int(numpy.prod(shape, dtype=float)) * numpy.dtype(dtype).itemsize
        file.create_dataset(path, shape, dtype, external=[("/etc/passwd", 0, max(1, size))])
    elif choice == 5 and dtype != object and shape:
        layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
        layout[...] = h5py.VirtualSource("run.h5", path, shape=shape)
        file.create_virtual_dataset(path, layout)
    elif choice == 6:
        file.create_dataset(path, data=h5py.Empty("f8"))
    for name, value in attributes.items():
        if path in file and choice not in (0, 1):
            file[path].attrs[name] = value


def change_attribute(random, file, path, name):
    attributes = file[path].attrs
    was = attributes[name]
    if random.random() < 0.1:
        del attributes[name]
    elif isinstance(was, str) and random.random() < 0.5:
        at = random.randrange(len(was) + 1)
        attributes[name] = was[:at] + random.choice(("", "9", "-1", "1e999", "[", '"', "x" * 5000)) + was[at + 1:]
    else:
        value = random.choice((was, *ODD_REALS, *ODD_WHOLES[:-1], "", "text", "../evil", numpy.bytes_(b"a\0b"),
                               numpy.bytes_("x" * 60000), [], [1, 2, 3], [0.5] * 7, ["a"] * 3, ["balanced"] * 400,
                               numpy.zeros((2, 2)), numpy.zeros(3, "i8,f8"), h5py.Empty("f8"),
                               numpy.array(1, ">i8"), numpy.float16(2)))
        if isinstance(was, numpy.ndarray) and was.dtype.kind == "f" and random.random() < 0.5:
            value = was.copy()
            value[random.randrange(value.size)] = random.choice(ODD_REALS)
        attributes[name] = value


DATASET_DAMAGE = (change_value, change_value, change_value, change_shape, change_type, claim_much, repack, relink)


def mutate(random, path):
    """One to three changes; what was done, for the message."""
    done = []
    with h5py.File(path, "a") as file:
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            nodes, attributes = parts(file)
            damage, where = change_attribute, random.choice(attributes)
            if random.random() < 0.7:
                where = (random.choice(nodes),)
                damage = random.choice(DATASET_DAMAGE) if isinstance(file.get(*where), h5py.Dataset) else relink
            done.append(f"{damage.__name__} {where}")
            try:
                damage(random, file, *where)
            except (KeyError, OSError, RuntimeError, TypeError, ValueError):
                break  # not everything can be made by h5py, but what it has left half made is damage too
            if damage in (relink, claim_much):
                break  # h5py itself may not come through such a file
    return ", ".join(done)


def flip_bytes(random, path):
    content = bytearray(path.read_bytes())
    places = [random.randrange(len(content)) for _ in range(random.choice((1, 2, 8)))]
    for place in places:
        content[place] = random.randrange(256)
    path.write_bytes(content)
    return f"bytes {places}"
