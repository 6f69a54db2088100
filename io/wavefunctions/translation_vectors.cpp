#include "io/wavefunctions/translation_vectors.hpp"

#include <cmath>
#include <string>

#include "core/cross.hpp"
#include "io/text/counted.hpp"
#include "io/wavefunctions/basis_checks.hpp"

namespace tessera::io {

namespace {

constexpr double no_neighbour = 9e4;  ///< bohr

/// A vector of that length normal to both, or along z if they are parallel.
Vec3 normal_to(Vec3 a, Vec3 b) {
    const Vec3 normal = cross(a, b);
    const double length = norm(normal);
    return length > 0 ? no_neighbour / length * normal : Vec3{0, 0, no_neighbour};
}

/// The axis that is farthest from the direction of a vector.
Vec3 other_axis(Vec3 v) {
    const Vec3 size{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
    if (size.x <= size.y && size.x <= size.z) return {1, 0, 0};
    return size.y <= size.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

}  // namespace

void take_translation_vectors(const TextScanner& scanner, const std::vector<double>& values,
                              Wavefunction& frame) {
    if (values.empty() || values.size() % 3 != 0 || values.size() > 9)
        scanner.fail("the translation vectors have " + counted(values.size(), "number"),
                     "give x, y and z of one to three vectors, in bohr");
    Lattice lattice;
    for (std::size_t v = 0; v < values.size() / 3; ++v)
        lattice.vectors[v] = {values[3 * v], values[3 * v + 1], values[3 * v + 2]};
    frame.repeated_directions = static_cast<int>(values.size() / 3);
    auto& [a, b, c] = lattice.vectors;
    if (frame.repeated_directions < 2) b = normal_to(a, other_axis(a));
    if (frame.repeated_directions < 3) c = normal_to(a, b);
    check_lattice(scanner, lattice);
    frame.lattice = lattice;
}

}  // namespace tessera::io
