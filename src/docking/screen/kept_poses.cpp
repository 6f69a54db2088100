#include "docking/screen/kept_poses.hpp"

#include <algorithm>
#include <span>

#include "docking/pairs/byte_packer.hpp"

namespace tessera::docking {

namespace {

std::int32_t cluster_of(std::size_t pose, const std::vector<Cluster>& clusters) {
    const auto own = std::ranges::find_if(clusters, [&](const Cluster& cluster) {
        return std::ranges::binary_search(cluster.members, pose);
    });
    return own == clusters.end() ? 0 : static_cast<std::int32_t>(own - clusters.begin()) + 1;
}

template <class Bytes>
void transfer(Bytes& bytes, SameMessage<KeptPair> auto& pair) {
    bytes(pair.receptor_sha256, pair.ligand_sha256, pair.receptor_center, pair.ligand_center,
          pair.poses);
}

}  // namespace

KeptPair kept_pair(const DockResult& result) {
    KeptPair pair{result.receptor_sha256,
                  result.ligand_sha256,
                  result.frame.receptor_center,
                  result.frame.ligand_center,
                  {}};
    const std::vector<Pose>& poses = result.lists.front().poses;
    for (std::size_t i = 0; i < std::min(poses_kept, poses.size()); ++i)
        pair.poses.push_back({poses[i].score, static_cast<std::int32_t>(poses[i].rotation),
                              cluster_of(i, result.clusters.front()), poses[i].translation,
                              poses[i].terms});
    return pair;
}

std::string packed(const KeptPair& pair) {
    BytePacker packer;
    transfer(packer, pair);
    const auto bytes = packer.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

KeptPair unpacked_pair(const std::string& bytes) {
    KeptPair pair;
    ByteUnpacker unpacker(std::as_bytes(std::span(bytes)));
    transfer(unpacker, pair);
    unpacker.require_end();
    return pair;
}

}  // namespace tessera::docking
