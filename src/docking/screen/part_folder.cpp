#include "docking/screen/part_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "docking/screen/pose_shard.hpp"
#include "docking/screen/screen_pairs.hpp"
#include "docking/screen/screen_table.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

constexpr const char* start_again = "give the command of this part again, then merge";

Error cannot_merge(const std::string& path, const std::string& why, const std::string& what_to_do) {
    return {"cannot merge '" + path + "'", why, what_to_do};
}

std::string field_of(const ScreenPartner& partner) { return io::csv_field(partner.name) + ","; }

/// Throws Error if one file of a protein is another one than that of other pairs.
void compare_hashes(const std::string& path, const char* kind,
                    const std::vector<PoseShard::Partner>& partners, PartFolder::Hashes& hashes) {
    for (const PoseShard::Partner& partner : partners) {
        const auto [known, is_new] = hashes.emplace(kind + partner.name, partner.sha256);
        if (known->second != partner.sha256)
            throw cannot_merge(path,
                               "its file of " + known->first + " is not that of the other parts",
                               "screen all parts with the same files");
    }
}

}  // namespace

PartFolder::PartFolder(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    if (!fs::is_directory(path_, ignored))
        throw cannot_merge(path_, "there is no such folder", "give folders of tessera screen");
    auto description = read_description(path_);
    if (!description)
        throw cannot_merge(path_, "it has no screen.json", "give folders of tessera screen");
    description_ = *std::move(description);
    if (fs::exists(file("screen.csv.partial")))
        throw cannot_merge(path_, "it is not finished", start_again);
}

std::vector<PartLine> PartFolder::lines() const {
    const std::string table = file("screen.csv");
    std::ifstream text(table);
    std::string line;
    if (!std::getline(text, line) || line != screen_header())
        throw cannot_merge(path_, "screen.csv is missing or is another table", start_again);
    ScreenPairs pairs(description_.receptors, description_.ligands, {});
    pairs.choose(description_.layout().pairs());
    std::vector<PartLine> lines;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::string names = field_of(pairs.receptor(i)) + field_of(pairs.ligand(i));
        if (!std::getline(text, line) || !line.starts_with(names))
            throw cannot_merge(path_, "screen.csv lacks pair " + pairs.name(i), start_again);
        const std::string_view rest = std::string_view(line).substr(names.size());
        if (rest.starts_with("unfinished,"))
            throw cannot_merge(path_, "pair " + pairs.name(i) + " is not finished", start_again);
        PartLine one{line_alone(line), std::nullopt};
        constexpr std::string_view done = "done,,";
        if (rest.starts_with(done))
            one.score = compared_score(std::string(rest.substr(done.size())));
        lines.push_back(std::move(one));
    }
    if (std::getline(text, line))
        throw cannot_merge(path_, "screen.csv has more lines than pairs", start_again);
    return lines;
}

std::vector<std::size_t> PartFolder::check_shards(const std::vector<PartLine>& lines,
                                                  Hashes& hashes) const {
    std::vector<std::size_t> there;
    const ShardLayout layout = description_.layout();
    for (std::size_t s = layout.shards().first; s < layout.shards().last; ++s) {
        std::vector<std::int64_t> done;
        for (std::size_t pair = layout.pairs_of(s).first; pair < layout.pairs_of(s).last; ++pair)
            if (lines[pair - layout.pairs().first].score)
                done.push_back(static_cast<std::int64_t>(pair));
        if (done.empty()) continue;
        const std::string path = shard_path(path_, s);
        const PoseShard shard = read_shard(io::open_result(path).root());
        std::vector<std::int64_t> held;
        held.reserve(shard.pairs.size());
        for (const PoseShard::Pair& pair : shard.pairs) held.push_back(pair.number);
        if (held != done)
            throw cannot_merge(path, "it does not hold the pairs that are done", start_again);
        compare_hashes(path, "receptor ", shard.receptors, hashes);
        compare_hashes(path, "ligand ", shard.ligands, hashes);
        there.push_back(s);
    }
    return there;
}

}  // namespace tessera::docking
