// Side chains, and poses of them, as flat arrays of a device.
#pragma once

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// A side chain in the arrays of PackTables.
struct PackedSideChain {
    int rotamers, atoms;
    int first_position;  ///< in `positions`, [rotamer][atom][3]
    int first_field;     ///< in `fields`, [atom][radius, charge]
    int first_energy;    ///< in `own_energies`
};

/// Both partners, one after another.
template <class Device>
struct PackTables {
    View1<float, Device> positions, fields, own_energies;
    View2<float, Device> spheres;  ///< [as own_energies][x, y, z, radius] around the atoms
    View1<PackedSideChain, Device> side_chains;
    View2<float, Device> atoms;  ///< [atom][x, y, z, radius, charge]
    View1<float, Device> pair_energies;
};

/// A node in the arrays of a batch.
struct PackedNode {
    int side_chain, is_ligand;
    int first_slot;            ///< of its rotamers in `energies`
    int near_begin, near_end;  ///< in `near`
    int resting_begin, resting_end;
    int edges_begin, edges_end;  ///< in `edges_of`
};

/// Entry [rotamer of first][rotamer of second] of a table with `stride` columns.
struct PackedEdge {
    int first, second;  ///< nodes of the pose
    int is_cross;       ///< the table is in `cross`, otherwise in `pair_energies`
    int table, stride;
};

struct PackedRange {
    int nodes_begin, nodes_end, edges_begin, edges_end, slots_begin, slots_end;
};

/// A table of a side chain that rests: its energies with the rotamers of the node.
struct PackedRest {
    int table, stride;  ///< entry of rotamer r: table + r * stride
};

}  // namespace tessera::kernels
