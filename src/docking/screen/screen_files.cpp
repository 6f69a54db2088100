#include "docking/screen/screen_files.hpp"

#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "docking/screen/summary_file.hpp"
#include "io/files/sha256.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/parquet/table_file.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes between_lines{1};

/// The place of a partner in the list of its shard. A new one is added.
std::int64_t place_of(const ScreenPartner& partner, const std::string& sha256,
                      std::vector<PoseShard::Partner>& list,
                      std::map<std::string, std::int64_t>& places) {
    const auto [place, is_new] = places.emplace(partner.name, std::ssize(list));
    if (is_new) list.push_back({partner.name, partner.path, partner.chains, sha256});
    return place->second;
}

PoseShard shard_of_pairs(const ScreenPairs& pairs, const EnteredPairs& entered) {
    PoseShard shard;
    shard.content_sha256 = content_hash(pairs, entered);
    std::map<std::string, std::int64_t> receptors, ligands;
    for (const auto& [row, pair] : entered) {
        KeptPair kept = unpacked_pair(pair.poses);
        shard.pairs.push_back(
            {static_cast<std::int64_t>(pairs.number(row)),
             place_of(pairs.receptor(row), kept.receptor_sha256, shard.receptors, receptors),
             place_of(pairs.ligand(row), kept.ligand_sha256, shard.ligands, ligands),
             kept.receptor_center, kept.ligand_center, std::move(kept.poses)});
    }
    return shard;
}

}  // namespace

std::string content_hash(const ScreenPairs& pairs, const EnteredPairs& entered) {
    io::Sha256 hash;
    for (const auto& [row, pair] : entered) {
        hash.add(std::to_string(pairs.number(row)) + " " + pairs.name(row) + " ");
        hash.add(pair.input_sha256);
        hash.add(pair.poses);
    }
    return hash.hex();
}

ScreenFiles::ScreenFiles(ScreenFilesContext context, ShardsSoFar so_far)
    : context_(std::move(context)), so_far_(std::move(so_far)) {
    for (std::size_t row = 0; row < context_.rows.size(); ++row)
        unfinished_[shard_of(row)] += context_.rows[row].status == PairRow::Status::unfinished;
}

NumberRange ScreenFiles::rows_of(std::size_t shard) const {
    const NumberRange numbers = context_.layout.pairs_of(shard);
    return {numbers.first - context_.pairs.number(0), numbers.last - context_.pairs.number(0)};
}

bool ScreenFiles::has_ended(std::size_t shard) const { return unfinished_.at(shard) == 0; }

/// Removes files with our names that are not among those that are kept.
void ScreenFiles::remove_others(const std::string& folder, const std::string& ending,
                                const std::set<std::string>& kept) const {
    for (const auto& entry : fs::directory_iterator(fs::path(context_.folder) / folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("shard-") || !name.ends_with(ending) || kept.contains(name)) continue;
        if (io::is_result(entry.path()) || io::is_parquet_table(entry.path()))
            fs::remove(entry.path());
    }
}

void ScreenFiles::begin() {
    io::make_folder(context_.folder + "/poses");
    io::make_folder(context_.folder + "/summary");
    std::set<std::string> poses, lines;
    const NumberRange& shards = context_.layout.shards();
    for (std::size_t s = shards.first; s < shards.last; ++s) {
        lines.insert(fs::path(summary_path(context_.folder, s)).filename());
        if (so_far_.whole.contains(s))
            poses.insert(fs::path(shard_path(context_.folder, s)).filename());
    }
    remove_others("poses", ".h5", poses);
    remove_others("summary", ".parquet", lines);
    for (std::size_t s = shards.first; s < shards.last; ++s) {
        if (has_ended(s)) write_poses(s);
        write_lines(s, context_.lines, false);
    }
}

void ScreenFiles::enter(std::size_t row, const PairOutcome& outcome) {
    const std::size_t shard = shard_of(row);
    --unfinished_.at(shard);
    if (!outcome.failure)
        so_far_.waiting[shard][row] = {outcome.written.input_sha256, outcome.written.poses};
    changed_.insert(shard);
    if (has_ended(shard)) {
        write_poses(shard);
        write_lines(shard, context_.lines, false);
        changed_.erase(shard);
    }
    if (std::chrono::steady_clock::now() < next_) return;
    for (const std::size_t one : changed_) write_lines(one, context_.lines, false);
    changed_.clear();
    next_ = std::chrono::steady_clock::now() + between_lines;
}

void ScreenFiles::finish(const SummaryLines& lines) {
    const NumberRange& shards = context_.layout.shards();
    for (std::size_t s = shards.first; s < shards.last; ++s) {
        write_poses(s);
        write_lines(s, lines, true);
    }
}

/// Writes the shard if it has pairs whose poses are in no file.
void ScreenFiles::write_poses(std::size_t shard) {
    const auto entered = so_far_.waiting.find(shard);
    if (entered == so_far_.waiting.end()) return;
    PoseShard content = shard_of_pairs(context_.pairs, entered->second);
    content.number = static_cast<std::int64_t>(shard);
    content.set = context_.set;
    content.rotations = context_.rotations;
    io::ResultFile file(shard_path(context_.folder, shard), "screen", context_.version, true);
    write_shard(file.root(), content);
    io::RunRecord record = context_.record;
    record.input_sha256 = content.content_sha256;
    io::write_run_record(file.root(), record);
    file.commit();
    so_far_.waiting.erase(entered);
}

void ScreenFiles::write_lines(std::size_t shard, const SummaryLines& lines,
                              bool unfinished_too) const {
    std::vector<std::string> texts;
    const NumberRange rows = rows_of(shard);
    for (std::size_t row = rows.first; row < rows.last; ++row)
        if (unfinished_too || context_.rows[row].status != PairRow::Status::unfinished)
            texts.push_back(lines.line(row, context_.rows[row]));
    const std::string path = summary_path(context_.folder, shard);
    if (!texts.empty())
        write_summary_file(path, context_.scratch, context_.version, texts);
    else if (io::is_parquet_table(path))  // of a run with other lists
        fs::remove(path);
}

}  // namespace tessera::docking
