"""Atoms and bonds as triangles, for pictures of orbitals. Lengths in Angstrom."""

import numpy

# Colour and covalent radius (Cordero et al. 2008) of common elements.
ELEMENTS = {"H": ("#f2f2f2", 0.31), "B": ("#e8a9a0", 0.84), "C": ("#555555", 0.76), "N": ("#3050f8", 0.71),
            "O": ("#e01010", 0.66), "F": ("#60c050", 0.57), "SI": ("#c8a878", 1.11), "P": ("#ff8000", 1.07),
            "S": ("#d8c020", 1.05), "CL": ("#30c030", 1.02), "BR": ("#a62929", 1.20), "I": ("#940094", 1.39)}
OTHERS = ("#c07ab8", 1.35)
BOND_RADIUS, LONGEST_BOND = 0.09, 1.25  # the latter in sums of covalent radii


def color_of(symbol):
    text = ELEMENTS.get(symbol.upper(), OTHERS)[0]
    return [int(text[k:k + 2], 16) / 255 for k in (1, 3, 5)] + [1.0]


def radius_of(symbol):
    return ELEMENTS.get(symbol.upper(), OTHERS)[1]


def tube_of(rings):
    """Corners of the triangles between neighbouring rings of as many points each."""
    here, turned = rings[:-1], numpy.roll(rings[:-1], -1, axis=1)
    above, above_turned = rings[1:], numpy.roll(rings[1:], -1, axis=1)
    first = numpy.stack((here, turned, above), axis=2).reshape(-1, 3, 3)
    second = numpy.stack((turned, above_turned, above), axis=2).reshape(-1, 3, 3)
    return numpy.concatenate((first, second))


def ball_of(centre, radius, around=24, along=13):
    tilt = numpy.linspace(0, numpy.pi, along)[:, None]
    turn = numpy.linspace(0, 2 * numpy.pi, around, endpoint=False)[None]
    rings = numpy.stack((numpy.sin(tilt) * numpy.cos(turn), numpy.sin(tilt) * numpy.sin(turn),
                         numpy.cos(tilt) + 0 * turn), axis=2)
    corners = tube_of(rings)
    normals = corners.mean(axis=1)
    return centre + radius * corners, normals / numpy.linalg.norm(normals, axis=1)[:, None]


def rod_of(begin, end, around=14, along=7):
    axis = (end - begin) / numpy.linalg.norm(end - begin)
    side = numpy.cross(axis, numpy.eye(3)[numpy.argmin(numpy.abs(axis))])
    side /= numpy.linalg.norm(side)
    turn = numpy.linspace(0, 2 * numpy.pi, around, endpoint=False)
    outward = numpy.cos(turn)[:, None] * side + numpy.sin(turn)[:, None] * numpy.cross(axis, side)
    places = begin + numpy.linspace(0, 1, along)[:, None] * (end - begin)
    corners = tube_of(places[:, None] + BOND_RADIUS * outward[None])
    normals = corners.mean(axis=1) - begin
    normals -= (normals @ axis)[:, None] * axis
    return corners, normals / numpy.linalg.norm(normals, axis=1)[:, None]


def bonds_of(symbols, positions):
    """Pairs of atoms that are no farther apart than a bond is long."""
    radii = numpy.array([radius_of(symbol) for symbol in symbols])
    apart = numpy.linalg.norm(positions[:, None] - positions[None], axis=2)
    near = (apart < LONGEST_BOND * (radii[:, None] + radii[None])) & (apart > 0.1)
    return numpy.argwhere(numpy.triu(near, 1))


def atoms_and_bonds(symbols, positions):
    """Corners [n,3,3], normals [n,3] and colours [n,4] of the triangles. A bond has the colours of its two atoms."""
    pieces = [(*ball_of(place, 0.18 + 0.14 * radius_of(symbol)), color_of(symbol))
              for symbol, place in zip(symbols, positions)]
    for i, j in bonds_of(symbols, positions):
        middle = (positions[i] + positions[j]) / 2
        for atom in (i, j):
            pieces.append((*rod_of(positions[atom], middle), color_of(symbols[atom])))
    return (numpy.concatenate([corners for corners, _, _ in pieces]),
            numpy.concatenate([normals for _, normals, _ in pieces]),
            numpy.concatenate([numpy.tile(color, (len(corners), 1)) for corners, _, color in pieces]))
