#include "docking/screen/merge_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "docking/pairs/pair_manifest.hpp"
#include "docking/screen/part_folder.hpp"
#include "docking/screen/screen_job.hpp"
#include "docking/screen/screen_table.hpp"
#include "docking/screen/summary_file.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

using Scores = std::vector<std::optional<double>>;
using NormalisedScores = std::vector<std::optional<NormalisedScore>>;

/// The parts in their order. Throws Error unless they are all parts of one screening.
std::vector<PartFolder> ordered_parts(const std::vector<std::string>& paths) {
    std::vector<PartFolder> parts(paths.begin(), paths.end());
    const ScreenDescription& first = parts.front().description();
    for (const PartFolder& part : parts)
        if (const std::string why = first.difference(part.description()); !why.empty())
            throw Error("cannot merge '" + part.path() + "' with '" + parts.front().path() + "'",
                        why, "give the parts of one screening");
    std::ranges::stable_sort(parts, {},
                             [](const PartFolder& part) { return part.description().part.number; });
    for (std::size_t i = 0; i < std::max(parts.size(), first.part.of); ++i) {
        const std::size_t number = i < parts.size() ? parts[i].description().part.number : 0;
        if (number == i + 1) continue;
        if (i > 0 && number == i)
            throw Error("cannot merge '" + parts[i].path() + "' with '" + parts[i - 1].path() + "'",
                        "both are part " + parts[i].description().part.text(),
                        "give each part once");
        throw Error(
            "cannot merge the parts",
            fmt::format("part {}/{} is missing", i + 1, parts.front().description().part.of),
            "give the folders of all parts");
    }
    return parts;
}

/// A copy that takes no space where the file system allows it.
void link_or_copy(const std::string& from, const std::string& to) {
    std::error_code failure;
    fs::create_hard_link(from, to, failure);
    if (failure) io::copy_whole_file(from, to);
}

/// The options of a part, without those that a merged screening does not have.
void copy_options(const std::string& from, const std::string& to) {
    std::ifstream lines(from);
    io::WholeFile file(to);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("part = ") && !line.starts_with("output = ")) file.write(line + "\n");
    file.commit();
}

/// Writes the folder under another name, and removes it if this fails.
class Merging {
  public:
    Merging(std::vector<PartFolder> parts, const std::string& folder, std::string version)
        : parts_(std::move(parts)),
          folder_(io::temporary_name(folder, io::mark_of_folder)),
          version_(std::move(version)) {}

    ~Merging() {
        std::error_code ignored;
        if (begun_) fs::remove_all(folder_, ignored);
    }
    Merging(const Merging&) = delete;
    Merging& operator=(const Merging&) = delete;

    MergedScreening run() {
        MergedScreening merged;
        Scores scores;
        for (const PartFolder& part : parts_) {
            const auto lines = part.lines();
            for (const PartLine& line : lines) scores.push_back(line.score);
            shards_.push_back(part.check_shards(lines, hashes_));
            merged.shards += shards_.back().size();
        }
        merged.pairs = scores.size();
        merged.failed = static_cast<std::size_t>(
            std::ranges::count_if(scores, [](const auto& score) { return !score; }));
        const NormalisedScores normalised =
            normalised_scores(scores, parts_.front().description().ligands.size());
        scores.clear();
        scores.shrink_to_fit();
        begun_ = true;
        io::make_folder(folder_ + "/poses");
        io::make_folder(folder_ + "/summary");
        write_tables(normalised);
        write_rest();
        return merged;
    }
    void give_name(const std::string& path) {
        std::error_code failure;
        fs::rename(folder_, path, failure);
        if (failure)
            throw Error("cannot write '" + path + "'", failure.message(),
                        "choose another folder, or remove it");
        begun_ = false;
    }

  private:
    void write_tables(const NormalisedScores& normalised) const {
        io::WholeFile table(folder_ + "/screen.csv");
        table.write(screen_header() + "\n");
        for (const PartFolder& part : parts_) {
            const ShardLayout layout = part.description().layout();
            const auto lines = part.lines();
            for (std::size_t s = layout.shards().first; s < layout.shards().last; ++s) {
                std::vector<std::string> texts;
                const NumberRange pairs = layout.pairs_of(s);
                for (std::size_t pair = pairs.first; pair < pairs.last; ++pair)
                    texts.push_back(lines[pair - layout.pairs().first].text +
                                    comparing_fields(normalised[pair]));
                for (const std::string& text : texts) table.write(text + "\n");
                write_summary_file(summary_path(folder_, s), folder_ + "/summary.parquet", version_,
                                   texts);
            }
        }
        table.sync();
        table.commit();
    }

    void write_rest() const {
        std::vector<std::string> manifests;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (const std::size_t s : shards_[p])
                link_or_copy(shard_path(parts_[p].path(), s), shard_path(folder_, s));
            manifests.push_back(parts_[p].file(screen_manifest));
        }
        PairManifest::join(manifests, PairManifest::path(folder_, screen_manifest));
        copy_options(parts_.front().file("screen.toml"), folder_ + "/screen.toml");
        ScreenDescription description = parts_.front().description();
        description.part = {};
        io::WholeFile file(description_path(folder_));
        file.write(to_json(description));
        file.commit();
    }

    std::vector<PartFolder> parts_;
    std::vector<std::vector<std::size_t>> shards_;  ///< of each part
    PartFolder::Hashes hashes_;
    std::string folder_, version_;
    bool begun_ = false;
};

}  // namespace

MergedScreening merge_parts(const std::vector<std::string>& parts, const std::string& folder,
                            const std::string& version) {
    std::error_code ignored;
    std::string path = folder;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (fs::exists(path, ignored))
        throw Error("cannot write '" + path + "'", "it is there already",
                    "choose another folder, or remove it");
    io::remove_abandoned_folders(path);
    Merging merging(ordered_parts(parts), path, version);
    const MergedScreening merged = merging.run();
    merging.give_name(path);
    return merged;
}

}  // namespace tessera::docking
