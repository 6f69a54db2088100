#include "io/scenes/shapes.hpp"

#include <cmath>
#include <cstdint>

#include "core/units.hpp"

namespace tessera::io {

namespace {

constexpr std::uint32_t around = 24;  ///< points of a ring

/// Adds a ring around z. Its normals are outward and have the given share along z.
void add_ring(Mesh& mesh, double radius, double z, double normal_z) {
    const double outward = std::sqrt(1 - normal_z * normal_z);
    for (std::uint32_t i = 0; i < around; ++i) {
        const double turn = 2 * units::pi * i / around, c = std::cos(turn), s = std::sin(turn);
        mesh.vertices.push_back({static_cast<float>(radius * c), static_cast<float>(radius * s),
                                 static_cast<float>(z)});
        mesh.normals.push_back({static_cast<float>(outward * c), static_cast<float>(outward * s),
                                static_cast<float>(normal_z)});
    }
}

/// Joins two rings, which begin at these vertices. The second one is higher.
void join_rings(Mesh& mesh, std::uint32_t low, std::uint32_t high) {
    for (std::uint32_t i = 0; i < around; ++i) {
        const std::uint32_t next = (i + 1) % around;
        mesh.triangles.push_back({low + i, low + next, high + i});
        mesh.triangles.push_back({low + next, high + next, high + i});
    }
}

}  // namespace

Mesh ball() {
    constexpr std::uint32_t rings = 11;  // between the poles
    Mesh mesh;
    mesh.vertices = mesh.normals = {{0, 0, -1}, {0, 0, 1}};
    for (std::uint32_t ring = 1; ring <= rings; ++ring) {
        const double tilt = units::pi * ring / (rings + 1), z = -std::cos(tilt);
        add_ring(mesh, std::sin(tilt), z, z);
        if (ring > 1) join_rings(mesh, 2 + (ring - 2) * around, 2 + (ring - 1) * around);
    }
    const std::uint32_t first = 2, last = 2 + (rings - 1) * around;
    for (std::uint32_t i = 0; i < around; ++i) {
        const std::uint32_t next = (i + 1) % around;
        mesh.triangles.push_back({0, first + next, first + i});
        mesh.triangles.push_back({1, last + i, last + next});
    }
    mesh.positive_triangles = mesh.triangles.size();
    return mesh;
}

Mesh rod() {
    Mesh mesh;
    add_ring(mesh, 1, 0, 0);
    add_ring(mesh, 1, 1, 0);
    join_rings(mesh, 0, around);
    mesh.positive_triangles = mesh.triangles.size();
    return mesh;
}

}  // namespace tessera::io
