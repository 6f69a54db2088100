// The receptor's atoms in cells, so that the atoms near a point are a few short ranges of arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

/// Atoms sorted by cell. Cells are in rows along z, so the atoms of a column of cells between two
/// heights are neighbours in memory. Positions are relative to `center`.
template <class Device>
struct RefineReceptor {
    View2<float, Device> fields;  ///< [x, y, z, radius, charge, buried][atom]
    View1<int, Device> types;     ///< [atom]
    View1<int, Device> begins;    ///< [cell + 1], z fastest
    double center[3];
    float low[3], edge, cutoff;
    int cells[3];

    KOKKOS_FORCEINLINE_FUNCTION int slot(float offset, int axis) const {
        const int at = static_cast<int>(Kokkos::floor(offset / edge));
        return at < 0 ? 0 : at >= cells[axis] ? cells[axis] - 1 : at;
    }

    /// Calls visit(begin, end) for ranges of atoms that contain all atoms within the cut-off of p.
    template <class Visit>
    KOKKOS_FORCEINLINE_FUNCTION void near(const float* p, const Visit& visit) const {
        const float q[3] = {p[0] - low[0], p[1] - low[1], p[2] - low[2]};
        for (int i = 0; i < 3; ++i)
            if (q[i] < -cutoff || q[i] > static_cast<float>(cells[i]) * edge + cutoff) return;
        const int last_x = slot(q[0] + cutoff, 0), last_y = slot(q[1] + cutoff, 1);
        for (int x = slot(q[0] - cutoff, 0); x <= last_x; ++x)
            for (int y = slot(q[1] - cutoff, 1); y <= last_y; ++y) {
                const float dx = gap(q[0], x), dy = gap(q[1], y);
                const float reach2 = cutoff * cutoff - dx * dx - dy * dy;
                if (reach2 <= 0) continue;
                const float reach = Kokkos::sqrt(reach2);
                const int column = (x * cells[1] + y) * cells[2];
                visit(begins(column + slot(q[2] - reach, 2)),
                      begins(column + slot(q[2] + reach, 2) + 1));
            }
    }

  private:
    /// Distance of a coordinate from a cell's slab.
    KOKKOS_FORCEINLINE_FUNCTION float gap(float q, int cell) const {
        const float below = static_cast<float>(cell) * edge - q;
        const float above = q - static_cast<float>(cell + 1) * edge;
        return below > 0 ? below : above > 0 ? above : 0.0F;
    }
};

/// Sorts the atoms into cells of half the cut-off. Cells are larger if the receptor is mostly empty
/// space.
template <class Device>
RefineReceptor<Device> make_refine_receptor(const typename Device::execution_space& space,
                                            const std::vector<RefineAtom>& atoms, double cutoff) {
    RefineReceptor<Device> receptor;
    const auto coordinate = [](const Vec3& v, int axis) {
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    };
    double edge = cutoff / 2;
    double high[3], low[3];
    for (int i = 0; i < 3; ++i) {
        const auto [first, last] =
            std::minmax_element(atoms.begin(), atoms.end(), [&](const auto& a, const auto& b) {
                return coordinate(a.position, i) < coordinate(b.position, i);
            });
        low[i] = coordinate(first->position, i), high[i] = coordinate(last->position, i);
        receptor.center[i] = 0.5 * (low[i] + high[i]);
        edge = std::max(edge, (high[i] - low[i]) / 200);
    }
    receptor.edge = static_cast<float>(edge);
    receptor.cutoff = static_cast<float>(cutoff);
    for (int i = 0; i < 3; ++i) {
        receptor.low[i] = static_cast<float>(low[i] - receptor.center[i]);
        receptor.cells[i] = static_cast<int>((high[i] - low[i]) / edge) + 1;
    }
    const std::size_t size = atoms.size();
    std::vector<float> at(3 * size);
    std::vector<int> cell(size), order(size);
    for (std::size_t a = 0; a < size; ++a) {
        int slots[3];
        for (int i = 0; i < 3; ++i) {
            at[3 * a + i] =
                static_cast<float>(coordinate(atoms[a].position, i) - receptor.center[i]);
            slots[i] = receptor.slot(at[3 * a + i] - receptor.low[i], i);
        }
        cell[a] = (slots[0] * receptor.cells[1] + slots[1]) * receptor.cells[2] + slots[2];
        order[a] = static_cast<int>(a);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cell[a] < cell[b]; });
    const int count = receptor.cells[0] * receptor.cells[1] * receptor.cells[2];
    std::vector<int> begins(count + 1, 0), types(size);
    std::vector<float> fields(6 * size);
    for (std::size_t k = 0; k < size; ++k) {
        const int a = order[k];
        const RefineAtom& atom = atoms[a];
        ++begins[cell[a] + 1];
        types[k] = atom.type;
        const float values[6] = {at[3 * a],
                                 at[3 * a + 1],
                                 at[3 * a + 2],
                                 static_cast<float>(atom.radius),
                                 static_cast<float>(atom.charge),
                                 atom.on_surface ? 0.0F : 1.0F};
        for (int f = 0; f < 6; ++f) fields[f * size + k] = values[f];
    }
    for (int c = 0; c < count; ++c) begins[c + 1] += begins[c];
    receptor.begins = to_device<int, Device>(space, "refine_begins", begins.data(), begins.size());
    receptor.types = to_device<int, Device>(space, "refine_types", types.data(), size);
    const auto flat =
        to_device<float, Device>(space, "refine_fields", fields.data(), fields.size());
    receptor.fields = View2<float, Device>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "refine_receptor"), 6, size);
    Kokkos::deep_copy(space, View1<float, Device>(receptor.fields.data(), 6 * size), flat);
    space.fence("tessera::docking: refinement's receptor ready");
    return receptor;
}

}  // namespace tessera::kernels
