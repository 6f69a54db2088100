#include "orbitals/tiles/cell_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::orbitals {

namespace {

using Axes = std::array<std::size_t, 3>;
using Vector = std::array<double, 3>;

/// Small multiples of the vectors, which include those along axes if the lattice has any.
std::vector<Vector> short_vectors(const Lattice& lattice) {
    constexpr int most = 6;
    std::vector<Vector> found;
    for (int i = -most; i <= most; ++i)
        for (int j = -most; j <= most; ++j)
            for (int k = -most; k <= most; ++k) {
                const Vec3 v = lattice.sum(i, j, k);
                found.push_back({v.x, v.y, v.z});
            }
    return found;
}

/// The least step along each axis among vectors that do not move along the axes after it. If their
/// product is the volume, each step along an axis needs those before it only.
std::optional<Vector> edges_by(const Axes& axes, const std::vector<Vector>& vectors,
                               double volume) {
    constexpr double zero = 1e-5;  // bohr; files have a few digits
    Vector edges{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (const Vector& v : vectors)
        for (std::size_t place = 0; place < 3; ++place) {
            const bool ends_here =
                std::all_of(axes.begin() + static_cast<std::ptrdiff_t>(place) + 1, axes.end(),
                            [&](std::size_t axis) { return std::abs(v[axis]) < zero; });
            double& edge = edges[axes[place]];
            if (ends_here && v[axes[place]] > zero) edge = std::min(edge, v[axes[place]]);
        }
    if (std::abs(edges[0] * edges[1] * edges[2] - volume) > 1e-5 * volume) return {};
    return edges;
}

}  // namespace

std::optional<Vec3> box_of_cell(const Lattice& lattice) {
    const std::vector<Vector> vectors = short_vectors(lattice);
    Axes axes{0, 1, 2};
    do {
        if (const auto edges = edges_by(axes, vectors, lattice.volume()))
            return Vec3{(*edges)[0], (*edges)[1], (*edges)[2]};
    } while (std::ranges::next_permutation(axes).found);
    return {};
}

Vec3 cell_edges(const std::vector<const io::Wavefunction*>& frames) {
    for (const io::Wavefunction* frame : frames) {
        const std::string file = "'" + io::one_line(frame->path) + "'";
        if (!frame->lattice)
            throw Error("--grid cell: " + file + " has no cell",
                        "it is evaluated as one isolated molecule",
                        "leave --grid out, or give --origin and --grid NX,NY,NZ");
        if (frame->repeated_directions < 3)
            throw Error("--grid cell: " + file + " repeats along " +
                            (frame->repeated_directions == 1 ? "one vector" : "two vectors") +
                            " only",
                        "a cell of it has no end along the other directions",
                        "give --origin and --grid NX,NY,NZ, with steps that divide the cell");
        if (frame->lattice != frames.front()->lattice)
            throw Error("--grid cell: " + file + " has another cell than the first frame",
                        "all frames share one grid",
                        "choose frames of one cell, or give --origin and --grid NX,NY,NZ");
    }
    if (const auto edges = box_of_cell(*frames.front()->lattice)) return *edges;
    throw Error("--grid cell: no box along x, y and z holds one cell of '" +
                    io::one_line(frames.front()->path) + "'",
                "it has no vector along an axis, or none in a plane of this axis and another one",
                "turn the system, for example a along x and b into the plane of x and y");
}

}  // namespace tessera::orbitals
