// The clusters of a result in its file (declared in dock_result.hpp).
#include <cstdint>

#include "docking/result/consensus_file.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/dock_summary.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

using io::h5::Group;

void write_clusters(Group group, const std::vector<Cluster>& clusters) {
    std::vector<std::int64_t> centers, sizes, members;
    for (const Cluster& cluster : clusters) {
        centers.push_back(static_cast<std::int64_t>(cluster.center));
        sizes.push_back(static_cast<std::int64_t>(cluster.members.size()));
        members.insert(members.end(), cluster.members.begin(), cluster.members.end());
    }
    group.write("center", centers);
    group.write("size", sizes);
    group.write("members", members);
}

namespace {

std::vector<Cluster> read_clusters(const Group& group, std::uint64_t poses) {
    const auto last = static_cast<std::int64_t>(poses) - 1;
    const std::uint64_t count = io::length_of(group, "size");
    const std::uint64_t all = io::length_of(group, "members");
    const auto center = io::read_within<std::int64_t>(group, "center", {count}, 0, last);
    const auto size =
        io::read_within<std::int64_t>(group, "size", {count}, 1, static_cast<std::int64_t>(all));
    const auto members = io::read_within<std::int64_t>(group, "members", {all}, 0, last);
    std::vector<Cluster> clusters;
    auto next = members.begin();
    for (std::size_t c = 0; c < count; ++c) {
        if (members.end() - next < size[c])
            group.refuse("'" + group.name() + "/size'", "the sizes do not add up to the members");
        Cluster cluster{static_cast<std::size_t>(center[c]), {next, next + size[c]}};
        next += size[c];
        clusters.push_back(std::move(cluster));
    }
    if (next != members.end())
        group.refuse("'" + group.name() + "/size'", "the sizes do not add up to the members");
    return clusters;
}

}  // namespace

void read_clusters_and_quality(const Group& root, DockResult& result) {
    const Group docking = root.open_group("docking");
    const bool judged = docking.contains("evaluation");
    for (const PoseList& list : result.lists) {
        const std::uint64_t poses = list.poses.size();
        result.clusters.push_back(
            read_clusters(docking.open_group("clusters/" + list.set.name), poses));
        if (judged)
            result.quality.push_back(
                read_quality(docking.open_group("evaluation/" + list.set.name), poses));
    }
    if (!result.consensus) return;
    const Group group = docking.open_group(consensus_name);
    const std::uint64_t poses = result.consensus->poses.size();
    result.consensus->clusters = read_clusters(group.open_group("clusters"), poses);
    if (group.contains("evaluation"))
        result.consensus->quality = read_quality(group.open_group("evaluation"), poses);
}

}  // namespace tessera::docking
