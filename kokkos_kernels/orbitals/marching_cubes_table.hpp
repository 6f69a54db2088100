// Triangles of the 256 cases of a cube, made from a rule at compile time.
//
// Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + k runs along axis a; k counts the
// corners that it starts from. The rule walks around the inside corners of every face, seen from
// outside the cube. One segment cuts off each run of inside corners. In an ambiguous face, two
// diagonal corners are inside and two are outside. Its inside corners are then cut off one by one,
// in both cubes that share the face, so the surface has no holes. The segments join to closed loops
// (Lorensen & Cline 1987 tabulate them). Diagonals cut the loops into triangles. They do not lie in
// a face, because the neighbour cube could have the same diagonal there.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::kernels {

struct MarchingCubesTable {
    static constexpr int max_triangles = 5;

    /// The corner that an edge starts from.
    static constexpr int edge_corner(int edge) {
        const int axis = edge / 4, k = edge % 4;
        if (axis == 0) return (k & 1) << 1 | (k >> 1) << 2;
        if (axis == 1) return (k & 1) | (k >> 1) << 2;
        return (k & 1) | (k >> 1) << 1;
    }

    std::array<std::uint8_t, 256> count{};
    std::array<std::array<std::int8_t, 3 * max_triangles>, 256> edges{};
    bool clean = true;  ///< every loop was cut by inner diagonals

    constexpr MarchingCubesTable() {
        for (int inside = 0; inside < 256; ++inside) make_case(inside);
    }

  private:
    static constexpr int edge_between(int a, int b) {
        for (int edge = 0; edge < 12; ++edge) {
            const int from = edge_corner(edge), to = from | 1 << edge / 4;
            if ((a == from && b == to) || (a == to && b == from)) return edge;
        }
        return -1;
    }

    /// Corner `step` of face (axis, side), anticlockwise seen from outside.
    static constexpr int face_corner(int axis, int side, int step) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int turn = side == 1 ? step & 3 : (4 - step) & 3;
        const int at_u = turn == 1 || turn == 2, at_v = turn >= 2;
        return side << axis | at_u << u | at_v << v;
    }

    static constexpr bool share_face(int a, int b) {
        for (int axis = 0; axis < 3; ++axis) {
            const int bit = 1 << axis;
            if (a / 4 != axis && b / 4 != axis && (edge_corner(a) & bit) == (edge_corner(b) & bit))
                return true;
        }
        return false;
    }

    constexpr void make_case(int inside) {
        std::array<int, 12> next{};
        for (int& edge : next) edge = -1;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) link_face(inside, axis, side, next);
        std::array<bool, 12> done{};
        for (int start = 0; start < 12; ++start) {
            if (next[start] < 0 || done[start]) continue;
            std::array<int, 12> loop{};
            int length = 0;
            for (int edge = start; !done[edge]; edge = next[edge]) {
                done[edge] = true;
                loop[length++] = edge;
            }
            cut_loop(inside, loop, length);
        }
    }

    static constexpr void link_face(int inside, int axis, int side, std::array<int, 12>& next) {
        const auto is_inside = [&](int step) {
            return (inside >> face_corner(axis, side, step) & 1) != 0;
        };
        for (int step = 0; step < 4; ++step) {
            if (!is_inside(step) || is_inside(step + 3)) continue;  // not the first of a run
            int last = step;
            while (is_inside(last + 1)) ++last;
            const int in =
                edge_between(face_corner(axis, side, step + 3), face_corner(axis, side, step));
            const int out =
                edge_between(face_corner(axis, side, last), face_corner(axis, side, last + 1));
            next[in] = out;
        }
    }

    constexpr void cut_loop(int inside, std::array<int, 12> loop, int length) {
        while (length >= 3) {
            int ear = 0;
            while (length > 3 && ear < length &&
                   share_face(loop[(ear + length - 1) % length], loop[(ear + 1) % length]))
                ++ear;
            if (ear == length) {
                clean = false;
                ear = 0;
            }
            auto& list = edges[inside];
            const int at = 3 * count[inside]++;
            list[at] = static_cast<std::int8_t>(loop[(ear + length - 1) % length]);
            list[at + 1] = static_cast<std::int8_t>(loop[ear]);
            list[at + 2] = static_cast<std::int8_t>(loop[(ear + 1) % length]);
            for (int i = ear; i + 1 < length; ++i) loop[i] = loop[i + 1];
            --length;
        }
    }
};

inline constexpr MarchingCubesTable marching_cubes_table{};
static_assert(marching_cubes_table.clean);

}  // namespace tessera::kernels
