// Chooses the rotamers of one pose by one block of threads.
#pragma once

#include "kokkos_kernels/device/block_launch.hpp"
#include "kokkos_kernels/docking/pack_energy.hpp"
#include "kokkos_kernels/docking/pack_tables.hpp"

namespace tessera::kernels {

template <class Device>
struct PackKernel {
    static constexpr int threads = 128, blocks_per_unit = 8;

    struct Shared {
        float rotation[9], shift[3];
        int current[most_pack_nodes];
        float rows[2][most_rotamers];
        float lowest[is_host<Device> ? 1 : threads];
        int lowest_at[is_host<Device> ? 1 : threads];
        int changed;
    };
    static constexpr int shared_bytes = static_cast<int>(sizeof(Shared));

    PackTables<Device> tables;
    PackEnergy energy;
    View1<PackedRange, Device> ranges;  ///< [pose]
    View2<float, Device> poses;         ///< [pose][rotation matrix, shift]
    View1<PackedNode, Device> nodes;
    View1<PackedEdge, Device> edges;
    View1<int, Device> near, edges_of, slot_nodes;
    View1<PackedRest, Device> rests;
    View1<float, Device> energies, cross;  ///< of rotamers alone; of pairs between the partners
    View1<int, Device> chosen;             ///< [node]
    View2<double, Device> results;         ///< [pose][energy before, after, apart]
    int sweeps;

    template <class Block>
    KOKKOS_FUNCTION void operator()(const Block& block) const {
        Shared& shared = *static_cast<Shared*>(block.shared);
        const PackedRange range = ranges(block.index);
        if (block.rank() == 0) {
            for (int i = 0; i < 9; ++i) shared.rotation[i] = poses(block.index, i);
            for (int i = 0; i < 3; ++i) shared.shift[i] = poses(block.index, 9 + i);
        }
        for (int n = block.rank(); n < range.nodes_end - range.nodes_begin; n += block.size)
            shared.current[n] = 0;
        block.barrier();
        for (int slot = range.slots_begin + block.rank(); slot < range.slots_end;
             slot += block.size)
            energies(slot) = rotamer_energy(shared, slot);
        for (int e = range.edges_begin; e < range.edges_end; ++e)
            if (edges(e).is_cross) fill_table(block, shared, range, edges(e));
        block.barrier();
        if (block.rank() == 0) {
            results(block.index, 0) = total(shared, range);
            results(block.index, 2) = total_apart(range);
        }
        descend(block, shared, range);
        if (block.rank() == 0) results(block.index, 1) = total(shared, range);
        for (int n = block.rank(); n < range.nodes_end - range.nodes_begin; n += block.size)
            chosen(range.nodes_begin + n) = shared.current[n];
    }

  private:
    /// Moves an atom of the receptor into the ligand's frame or the other way round.
    KOKKOS_FORCEINLINE_FUNCTION static void cross_over(const Shared& shared, bool of_ligand,
                                                       const float* x, float* moved) {
        const float* m = shared.rotation;
        if (of_ligand) {
            for (int i = 0; i < 3; ++i)
                moved[i] =
                    m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2] + shared.shift[i];
            return;
        }
        const float d[3] = {x[0] - shared.shift[0], x[1] - shared.shift[1], x[2] - shared.shift[2]};
        for (int i = 0; i < 3; ++i) moved[i] = m[i] * d[0] + m[3 + i] * d[1] + m[6 + i] * d[2];
    }

    KOKKOS_FORCEINLINE_FUNCTION static float square(const float* a, const float* b) {
        const float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
        return dx * dx + dy * dy + dz * dz;
    }

    /// With what rests of the own partner.
    KOKKOS_FUNCTION float own_energy(const PackedNode& node, int rotamer) const {
        float sum = tables.own_energies(tables.side_chains(node.side_chain).first_energy + rotamer);
        for (int k = node.resting_begin; k < node.resting_end; ++k)
            sum += tables.pair_energies(rests(k).table + rotamer * rests(k).stride);
        return sum;
    }

    /// With everything but the other nodes.
    KOKKOS_FUNCTION float rotamer_energy(const Shared& shared, int slot) const {
        const PackedNode node = nodes(slot_nodes(slot));
        const PackedSideChain side = tables.side_chains(node.side_chain);
        const int rotamer = slot - node.first_slot;
        float sum = own_energy(node, rotamer);
        for (int a = 0; a < side.atoms; ++a) {
            const float* own = &tables.fields(side.first_field + 2 * a);
            float at[3], of_atom = 0;
            cross_over(shared, node.is_ligand,
                       &tables.positions(side.first_position + 3 * (rotamer * side.atoms + a)), at);
            for (int k = node.near_begin; k < node.near_end; ++k) {
                const float* other = &tables.atoms(near(k), 0);
                of_atom += energy(square(at, other), own[0] + other[3], own[1] * other[4]);
            }
            sum += of_atom;
        }
        return sum;
    }

    /// Energies of a side chain of the receptor with one of the ligand.
    template <class Block>
    KOKKOS_FUNCTION void fill_table(const Block& block, const Shared& shared,
                                    const PackedRange& range, const PackedEdge& edge) const {
        const PackedSideChain a =
            tables.side_chains(nodes(range.nodes_begin + edge.first).side_chain);
        const PackedSideChain b =
            tables.side_chains(nodes(range.nodes_begin + edge.second).side_chain);
        for (int item = block.rank(); item < a.rotamers * b.rotamers; item += block.size) {
            const int r = item / b.rotamers, s = item % b.rotamers;
            cross(edge.table + item) = 0;
            const float* around = &tables.spheres(a.first_energy + r, 0);
            const float* other_around = &tables.spheres(b.first_energy + s, 0);
            float middle[3], sum = 0;
            cross_over(shared, true, other_around, middle);
            const float reach = around[3] + other_around[3] + energy.cutoff;
            if (square(middle, around) >= reach * reach) continue;
            for (int j = 0; j < b.atoms; ++j) {
                const float* other = &tables.fields(b.first_field + 2 * j);
                float at[3];
                cross_over(shared, true,
                           &tables.positions(b.first_position + 3 * (s * b.atoms + j)), at);
                for (int i = 0; i < a.atoms; ++i) {
                    const float* own = &tables.fields(a.first_field + 2 * i);
                    sum += energy(
                        square(at, &tables.positions(a.first_position + 3 * (r * a.atoms + i))),
                        own[0] + other[0], own[1] * other[1]);
                }
            }
            cross(edge.table + item) = sum;
        }
    }

    KOKKOS_FORCEINLINE_FUNCTION float edge_energy(const PackedEdge& edge, int first,
                                                  int second) const {
        const int entry = edge.table + first * edge.stride + second;
        return edge.is_cross ? cross(entry) : tables.pair_energies(entry);
    }

    KOKKOS_FUNCTION int rotamers_of(const PackedNode& node) const {
        return tables.side_chains(node.side_chain).rotamers;
    }

    /// Energies of the rotamers of a node with all others as they are, but for edge `without`.
    template <class Block>
    KOKKOS_FUNCTION void fill_row(const Block& block, const Shared& shared,
                                  const PackedRange& range, int n, int without, float* row) const {
        const PackedNode node = nodes(range.nodes_begin + n);
        for (int r = block.rank(); r < rotamers_of(node); r += block.size) {
            float sum = energies(node.first_slot + r);
            for (int k = node.edges_begin; k < node.edges_end; ++k) {
                if (edges_of(k) == without) continue;
                const PackedEdge edge = edges(edges_of(k));
                sum += edge.first == n ? edge_energy(edge, r, shared.current[edge.second])
                                       : edge_energy(edge, shared.current[edge.first], r);
            }
            row[r] = sum;
        }
    }

    /// The item of the lowest value, the first of several. All threads get it.
    template <class Block, class Value>
    KOKKOS_FUNCTION int lowest_of(const Block& block, Shared& shared, int items,
                                  const Value& value) const {
        float lowest = 0;
        int at = -1;
        for (int item = block.rank(); item < items; item += block.size) {
            const float here = value(item);
            if (at < 0 || here < lowest) lowest = here, at = item;
        }
        shared.lowest[block.rank()] = lowest;
        shared.lowest_at[block.rank()] = at;
        block.barrier();
        if (block.rank() == 0)
            for (int t = 1; t < block.size; ++t) {
                const bool lower = shared.lowest[t] < shared.lowest[0] ||
                                   (shared.lowest[t] == shared.lowest[0] &&
                                    shared.lowest_at[t] < shared.lowest_at[0]);
                if (shared.lowest_at[t] >= 0 && lower) {
                    shared.lowest[0] = shared.lowest[t];
                    shared.lowest_at[0] = shared.lowest_at[t];
                }
            }
        block.barrier();
        return shared.lowest_at[0];
    }

    template <class Block>
    KOKKOS_FUNCTION void descend(const Block& block, Shared& shared,
                                 const PackedRange& range) const {
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            if (block.rank() == 0) shared.changed = 0;
            for (int n = 0; n < range.nodes_end - range.nodes_begin; ++n)
                move_one(block, shared, range, n);
            for (int e = range.edges_begin; e < range.edges_end; ++e)
                move_two(block, shared, range, e);
            block.barrier();
            const bool changed = shared.changed;
            block.barrier();
            if (!changed) return;
        }
    }

    template <class Block>
    KOKKOS_FUNCTION void move_one(const Block& block, Shared& shared, const PackedRange& range,
                                  int n) const {
        float* row = shared.rows[0];
        fill_row(block, shared, range, n, -1, row);
        block.barrier();
        const int best = lowest_of(block, shared, rotamers_of(nodes(range.nodes_begin + n)),
                                   [&](int r) { return row[r]; });
        if (block.rank() == 0 && row[best] < row[shared.current[n]]) {
            shared.current[n] = best;
            shared.changed = 1;
        }
        block.barrier();
    }

    template <class Block>
    KOKKOS_FUNCTION void move_two(const Block& block, Shared& shared, const PackedRange& range,
                                  int e) const {
        const PackedEdge edge = edges(e);
        fill_row(block, shared, range, edge.first, e, shared.rows[0]);
        fill_row(block, shared, range, edge.second, e, shared.rows[1]);
        block.barrier();
        const int columns = rotamers_of(nodes(range.nodes_begin + edge.second));
        const int items = rotamers_of(nodes(range.nodes_begin + edge.first)) * columns;
        const auto joint = [&](int item) {
            return shared.rows[0][item / columns] + shared.rows[1][item % columns] +
                   edge_energy(edge, item / columns, item % columns);
        };
        const int best = lowest_of(block, shared, items, joint);
        if (block.rank() == 0) {
            int& first = shared.current[edge.first];
            int& second = shared.current[edge.second];
            if (joint(best) < joint(first * columns + second)) {
                first = best / columns, second = best % columns;
                shared.changed = 1;
            }
        }
        block.barrier();
    }

    /// Of the file's conformations without the other partner, by one thread.
    KOKKOS_FUNCTION double total_apart(const PackedRange& range) const {
        double sum = 0;
        for (int n = range.nodes_begin; n < range.nodes_end; ++n)
            sum += static_cast<double>(own_energy(nodes(n), 0));
        for (int e = range.edges_begin; e < range.edges_end; ++e)
            if (!edges(e).is_cross) sum += static_cast<double>(edge_energy(edges(e), 0, 0));
        return sum;
    }

    /// By one thread.
    KOKKOS_FUNCTION double total(const Shared& shared, const PackedRange& range) const {
        double sum = 0;
        for (int n = 0; n < range.nodes_end - range.nodes_begin; ++n)
            sum += static_cast<double>(
                energies(nodes(range.nodes_begin + n).first_slot + shared.current[n]));
        for (int e = range.edges_begin; e < range.edges_end; ++e) {
            const PackedEdge edge = edges(e);
            sum += static_cast<double>(
                edge_energy(edge, shared.current[edge.first], shared.current[edge.second]));
        }
        return sum;
    }
};

}  // namespace tessera::kernels
