// The repacking of side chains on one kind of device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kokkos_kernels/docking/pack.hpp"
#include "kokkos_kernels/docking/pack_kernel.hpp"

namespace tessera::kernels {

/// The poses of a batch as arrays.
struct PackBatch {
    std::vector<PackedRange> ranges;
    std::vector<float> poses;  ///< [pose][rotation matrix, shift]
    std::vector<PackedNode> nodes;
    std::vector<PackedEdge> edges;
    std::vector<int> near, edges_of, slot_nodes;
    std::vector<PackedRest> rests;
    int cross = 0;  ///< entries of the tables between the partners
};

/// Most poses of one launch, and about how many entries their tables between the partners may have.
inline constexpr std::size_t packed_at_once = 256;
inline constexpr std::int64_t tabled_at_once = std::int64_t{1} << 26;

template <class Device>
class DevicePacking : public SideChainPacking {
    using Space = typename Device::execution_space;

  public:
    DevicePacking(const PackPartner& receptor, const PackPartner& ligand,
                  const PackParameters& parameters)
        : kernel_{.tables = {},
                  .energy = PackEnergy(parameters),
                  .ranges = {},
                  .poses = {},
                  .nodes = {},
                  .edges = {},
                  .near = {},
                  .edges_of = {},
                  .slot_nodes = {},
                  .rests = {},
                  .energies = {},
                  .cross = {},
                  .chosen = {},
                  .results = {},
                  .sweeps = parameters.sweeps} {
        std::vector<float> positions, fields, own_energies, spheres, atoms, pair_energies;
        for (const PackPartner* partner : {&receptor, &ligand}) {
            first_side_chain_.push_back(static_cast<int>(side_chains_.size()));
            first_atom_.push_back(static_cast<int>(atoms.size() / 5));
            for (const PackSideChain& side : partner->side_chains) {
                side_chains_.push_back({side.rotamers, static_cast<int>(side.atoms.size()),
                                        static_cast<int>(positions.size()),
                                        static_cast<int>(fields.size()),
                                        static_cast<int>(own_energies.size())});
                positions.insert(positions.end(), side.positions.begin(), side.positions.end());
                own_energies.insert(own_energies.end(), side.own_energies.begin(),
                                    side.own_energies.end());
                for (const int atom : side.atoms) add_fields(partner->atoms[atom], fields);
                for (int r = 0; r < side.rotamers; ++r) add_sphere(side, r, spheres);
            }
            for (const RefineAtom& atom : partner->atoms) {
                const Vec3& p = atom.position;
                for (const double x : {p.x, p.y, p.z}) atoms.push_back(static_cast<float>(x));
                add_fields(atom, atoms);
            }
            auto& pairs = pairs_.emplace_back();
            for (const PackPair& pair : partner->pairs) {
                pairs.push_back({pair.first, pair.second, static_cast<int>(pair_energies.size()),
                                 partner->side_chains[pair.second].rotamers});
                pair_energies.insert(pair_energies.end(), pair.energies.begin(),
                                     pair.energies.end());
            }
        }
        PackTables<Device>& tables = kernel_.tables;
        tables.positions = upload("pack_positions", positions);
        tables.fields = upload("pack_fields", fields);
        tables.own_energies = upload("pack_own_energies", own_energies);
        tables.side_chains = upload("pack_side_chains", side_chains_);
        tables.pair_energies = upload("pack_pair_energies", pair_energies);
        tables.atoms = rows_of("pack_atoms", atoms, 5);
        tables.spheres = rows_of("pack_spheres", spheres, 4);
    }

    std::vector<PackedPose> pack(std::span<const PackPose> poses) override {
        std::vector<PackedPose> packed;
        for (std::size_t begin = 0, end = 0; begin < poses.size(); begin = end) {
            std::int64_t entries = 0;
            do entries += table_entries(poses[end++]);
            while (end < poses.size() && end - begin < packed_at_once && entries < tabled_at_once);
            pack_batch(poses.subspan(begin, end - begin), packed);
        }
        return packed;
    }

  private:
    struct StoredPair {
        int first, second, table, columns;
    };

    std::int64_t table_entries(const PackPose& pose) const {
        const auto rotamers = [&](int n) -> std::int64_t {
            const PackNode& node = pose.nodes[n];
            return side_chains_[first_side_chain_[node.partner] + node.side_chain].rotamers;
        };
        std::int64_t entries = 0;
        for (const PackEdge& edge : pose.edges)
            if (edge.pair < 0) entries += rotamers(edge.first) * rotamers(edge.second);
        return entries;
    }

    static void add_fields(const RefineAtom& atom, std::vector<float>& fields) {
        fields.push_back(static_cast<float>(atom.radius));
        fields.push_back(static_cast<float>(atom.charge));
    }

    /// The middle of a rotamer's atoms, and the distance of the farthest. A little is added for
    /// rounding.
    static void add_sphere(const PackSideChain& side, int rotamer, std::vector<float>& spheres) {
        const std::size_t atoms = side.atoms.size();
        const float* at = &side.positions[3 * rotamer * atoms];
        float middle[3] = {}, radius2 = 0;
        for (std::size_t a = 0; a < atoms; ++a)
            for (int i = 0; i < 3; ++i) middle[i] += at[3 * a + i] / static_cast<float>(atoms);
        for (std::size_t a = 0; a < atoms; ++a) {
            float square = 0;
            for (int i = 0; i < 3; ++i)
                square += (at[3 * a + i] - middle[i]) * (at[3 * a + i] - middle[i]);
            radius2 = std::max(radius2, square);
        }
        spheres.insert(spheres.end(), middle, middle + 3);
        spheres.push_back(std::sqrt(radius2) + 0.01F);
    }

    /// At least one entry, so that no pointer is null.
    template <class T>
    View1<T, Device> upload(const char* label, std::vector<T> values) {
        if (values.empty()) values.resize(1);
        return to_device<T, Device>(space_, label, values.data(), values.size());
    }

    View2<float, Device> rows_of(const char* label, const std::vector<float>& values, int columns) {
        const auto flat = upload(label, values);
        View2<float, Device> rows(std::string(label), values.size() / columns, columns);
        Kokkos::deep_copy(space_, View1<float, Device>(rows.data(), values.size()),
                          Kokkos::subview(flat, std::make_pair(std::size_t{0}, values.size())));
        space_.fence("tessera::docking: rows copied");
        return rows;
    }

    /// The table's energies with the first rotamer of the side chain that rests.
    PackedRest rest_of(const StoredPair& pair, int side_chain) const {
        if (pair.first == side_chain) return {pair.table, pair.columns};
        return {pair.table, 1};
    }

    void add_nodes(const PackPose& pose, PackBatch& batch) const {
        for (const PackNode& node : pose.nodes) {
            const int side_chain = first_side_chain_[node.partner] + node.side_chain;
            PackedNode packed{};
            packed.side_chain = side_chain;
            packed.is_ligand = node.partner;
            packed.first_slot = static_cast<int>(batch.slot_nodes.size());
            packed.near_begin = static_cast<int>(batch.near.size());
            for (const int atom : node.near)
                batch.near.push_back(first_atom_[1 - node.partner] + atom);
            packed.near_end = static_cast<int>(batch.near.size());
            packed.resting_begin = static_cast<int>(batch.rests.size());
            for (const int pair : node.resting)
                batch.rests.push_back(rest_of(pairs_[node.partner][pair], node.side_chain));
            packed.resting_end = static_cast<int>(batch.rests.size());
            batch.slot_nodes.insert(batch.slot_nodes.end(), side_chains_[side_chain].rotamers,
                                    static_cast<int>(batch.nodes.size()));
            batch.nodes.push_back(packed);
        }
    }

    void add_edges(const PackPose& pose, int first_node, PackBatch& batch) const {
        const int first_edge = static_cast<int>(batch.edges.size());
        for (const PackEdge& edge : pose.edges) {
            const auto rotamers = [&](int n) {
                return side_chains_[batch.nodes[first_node + n].side_chain].rotamers;
            };
            const int columns = rotamers(edge.second);
            if (edge.pair < 0) {
                batch.edges.push_back({edge.first, edge.second, 1, batch.cross, columns});
                batch.cross += rotamers(edge.first) * columns;
            } else {
                const int partner = pose.nodes[edge.first].partner;
                batch.edges.push_back(
                    {edge.first, edge.second, 0, pairs_[partner][edge.pair].table, columns});
            }
        }
        for (int n = first_node; n < static_cast<int>(batch.nodes.size()); ++n) {
            batch.nodes[n].edges_begin = static_cast<int>(batch.edges_of.size());
            for (int e = first_edge; e < static_cast<int>(batch.edges.size()); ++e)
                if (batch.edges[e].first == n - first_node ||
                    batch.edges[e].second == n - first_node)
                    batch.edges_of.push_back(e);
            batch.nodes[n].edges_end = static_cast<int>(batch.edges_of.size());
        }
    }

    PackBatch batch_of(std::span<const PackPose> poses) const {
        PackBatch batch;
        for (const PackPose& pose : poses) {
            PackedRange range{};
            range.nodes_begin = static_cast<int>(batch.nodes.size());
            range.edges_begin = static_cast<int>(batch.edges.size());
            range.slots_begin = static_cast<int>(batch.slot_nodes.size());
            add_nodes(pose, batch);
            add_edges(pose, range.nodes_begin, batch);
            range.nodes_end = static_cast<int>(batch.nodes.size());
            range.edges_end = static_cast<int>(batch.edges.size());
            range.slots_end = static_cast<int>(batch.slot_nodes.size());
            batch.ranges.push_back(range);
            const Matrix3 m = pose.pose.rotation.matrix();
            for (const auto& row : m)
                for (const double x : row) batch.poses.push_back(static_cast<float>(x));
            const Vec3& t = pose.pose.translation;
            for (const double x : {t.x, t.y, t.z}) batch.poses.push_back(static_cast<float>(x));
        }
        return batch;
    }

    void pack_batch(std::span<const PackPose> poses, std::vector<PackedPose>& packed) {
        const PackBatch batch = batch_of(poses);
        PackKernel<Device> kernel = kernel_;
        kernel.ranges = upload("pack_ranges", batch.ranges);
        kernel.poses = rows_of("pack_poses", batch.poses, 12);
        kernel.nodes = upload("pack_nodes", batch.nodes);
        kernel.edges = upload("pack_edges", batch.edges);
        kernel.near = upload("pack_near", batch.near);
        kernel.edges_of = upload("pack_edges_of", batch.edges_of);
        kernel.slot_nodes = upload("pack_slot_nodes", batch.slot_nodes);
        kernel.rests = upload("pack_rests", batch.rests);
        kernel.energies = View1<float, Device>("pack_energies", batch.slot_nodes.size() + 1);
        kernel.cross = View1<float, Device>("pack_cross", batch.cross + 1);
        kernel.chosen = View1<int, Device>("pack_chosen", batch.nodes.size() + 1);
        kernel.results = View2<double, Device>("pack_results", poses.size(), 3);
        launch_blocks("tessera::docking::pack", space_, static_cast<int>(poses.size()), kernel);
        space_.fence("tessera::docking: side chains packed");
        const auto chosen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.chosen);
        const auto results =
            Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.results);
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const PackedRange& range = batch.ranges[i];
            packed.push_back({{chosen.data() + range.nodes_begin, chosen.data() + range.nodes_end},
                              results(i, 0),
                              results(i, 1),
                              results(i, 2)});
        }
    }

    Space space_;
    std::vector<int> first_side_chain_, first_atom_;  ///< of each partner
    std::vector<PackedSideChain> side_chains_;
    std::vector<std::vector<StoredPair>> pairs_;  ///< of each partner
    PackKernel<Device> kernel_;
};

}  // namespace tessera::kernels
