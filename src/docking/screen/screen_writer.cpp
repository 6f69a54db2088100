#include "docking/screen/screen_writer.hpp"

#include <utility>

#include "core/error.hpp"
#include "docking/screen/kept_poses.hpp"
#include "docking/screen/screen_table.hpp"

namespace tessera::docking {

WrittenPair screened_pair(const DockPair& pair, const PreparedDocking& prepared, SortedPoses sorted,
                          io::RunRecord) {
    const DockResult result = finish_result(pair.input, prepared, std::move(sorted));
    const std::vector<Pose>& poses = result.lists.front().poses;
    if (poses.empty())
        throw Error("pair " + pair.name + " has no poses", "the search kept none",
                    "choose a larger --poses-per-rotation or another --exclusion");
    WrittenPair written;
    written.row =
        screen_fields(result, interaction_score(poses, result.clusters.front()), prepared.warnings);
    written.input_sha256 = prepared.input_sha256;
    written.inputs = input_records(prepared);
    written.poses = packed(kept_pair(result));
    return written;
}

}  // namespace tessera::docking
