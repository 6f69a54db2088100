// The groups that survive on a tile.
#pragma once

#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

/// A tile's surviving groups in order of degree, and the walk over them.
struct SurvivorList {
    const int* groups;  ///< sorted by degree
    const int* ends;    ///< [max_degree + 1] end of each degree

    /// Groups of one degree: list[first .. first + count), with count (degree + 1) columns.
    struct Segment {
        int degree = 0, first = 0, count = 0;
        KOKKOS_FUNCTION int columns() const { return count * (degree + 1); }
    };

    /// The position of a walk.
    struct Cursor {
        int degree = 0, at = 0;
    };

    KOKKOS_FUNCTION bool done(const Cursor& cursor) const { return cursor.at == ends[max_degree]; }

    /// The next groups of one degree that fit into `room` columns. There are none if the next group
    /// does not fit.
    KOKKOS_FUNCTION Segment take(Cursor& cursor, int room) const {
        while (cursor.degree < max_degree && cursor.at == ends[cursor.degree]) ++cursor.degree;
        const int left = ends[cursor.degree] - cursor.at, fit = room / (cursor.degree + 1);
        const Segment segment{cursor.degree, cursor.at, left < fit ? left : fit};
        cursor.at += segment.count;
        return segment;
    }
};

}  // namespace tessera::kernels
