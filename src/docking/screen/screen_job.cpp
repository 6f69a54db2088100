#include "docking/screen/screen_job.hpp"

#include <filesystem>
#include <utility>

#include "docking/pairs/byte_packer.hpp"
#include "docking/pairs/output_scan.hpp"
#include "docking/run/search_run.hpp"
#include "docking/screen/screen_progress.hpp"
#include "docking/screen/screen_table.hpp"
#include "docking/screen/screen_writer.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "io/files/input_file.hpp"
#include "io/files/sha256.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

/// Hash of the options and of the names, files and chains of all partners.
std::string hash_of(const DockInput& common, const ScreenPairs& pairs) {
    io::Sha256 hash;
    hash.add(to_json(common));
    for (const auto* list : {&pairs.receptors(), &pairs.ligands()}) {
        BytePacker fields;
        fields(std::uint64_t{list->size()});
        for (const ScreenPartner& partner : *list) {
            fields(partner.name, partner.path, std::uint64_t{partner.chains.size()});
            for (const std::string& chain : partner.chains) fields(chain);
        }
        const auto bytes = fields.bytes();
        hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return hash.hex();
}

Error not_this_screening(const std::string& folder, const std::string& why) {
    return {"cannot go on with the screening in '" + folder + "'", why,
            "repeat the command that began it, choose another folder, or start over with --force"};
}

/// On rank 0: what the manifest knows of the pairs.
class ScreenScan {
  public:
    ScreenScan(const PairsJob& job, PairManifest& manifest)
        : job_(job), manifest_(manifest), inputs_(manifest) {}

    PairRow look_at(std::size_t index) {
        const auto& known = manifest_.known(index);
        if (!known || known->poses.empty()) return {};
        stop_if_asked();
        const DockPair pair = job_.pairs->pair(index);
        std::string hash;
        try {
            FileHashes files;
            for (const std::string& path : input_files(pair.input))
                files[path] = inputs_.sha256(path);
            hash = input_hash(pair.input, files);
        } catch (const Error& error) {
            if (error.code() == ExitCode::requeue || dynamic_cast<const io::JournalError*>(&error))
                throw;
            return {PairRow::Status::failed, "", {error.what(), error.code()}};
        }
        if (hash != known->input_sha256)
            throw not_this_screening(job_.outputs.folder,
                                     "pair " + pair.name +
                                         " was docked with other options, or its files have "
                                         "changed since");
        return {PairRow::Status::done, known->row, {}};
    }

  private:
    const PairsJob& job_;
    PairManifest& manifest_;
    InputHashes inputs_;
};

/// Removes the results of earlier runs.
void forget_earlier(const std::string& manifest) {
    std::error_code problem;
    fs::remove(manifest, problem);
    if (problem)
        throw Error("cannot start over with --force",
                    "'" + manifest + "' cannot be removed: " + problem.message(),
                    "remove it yourself, or choose another folder", ExitCode::resources);
}

/// Throws Error if the folder holds another part, or a part of other lists. The pairs of a whole
/// screening may change, because all of them are compared again.
void require_same_part(const ScreenJob& job) {
    const auto found = job.outputs.force ? std::nullopt : read_description(job.outputs.folder);
    if (!found || (found->part.is_whole() && job.description.part.is_whole())) return;
    const std::string former =
        found->part.is_whole() ? "a whole screening" : "part " + found->part.text();
    if (found->part != job.description.part)
        throw not_this_screening(job.outputs.folder, "it holds " + former);
    if (const std::string why = job.description.difference(*found); !why.empty())
        throw not_this_screening(job.outputs.folder, "it holds " + former + ", and " + why);
}

/// Finds the shards that are whole, and takes the poses of the others from the manifest.
ShardsSoFar look_at_shards(const ScreenJob& job) {
    ShardsSoFar so_far;
    const ScreenPairs& pairs = job.screen_pairs();
    const ShardLayout layout = job.description.layout();
    for (std::size_t s = layout.shards().first; s < layout.shards().last; ++s) {
        stop_if_asked();
        EnteredPairs entered;
        bool has_ended = true;
        const NumberRange numbers = layout.pairs_of(s);
        for (std::size_t number = numbers.first; number < numbers.last; ++number) {
            const std::size_t row = number - pairs.number(0);
            has_ended &= job.rows[row].status != PairRow::Status::unfinished;
            if (job.rows[row].status != PairRow::Status::done) continue;
            const PairManifest::KnownPair& known = *job.manifest->known(row);
            entered[row] = {known.input_sha256, known.poses};
        }
        if (entered.empty()) continue;
        const std::string path = shard_path(job.outputs.folder, s);
        if (has_ended && shard_content(path) == content_hash(pairs, entered))
            so_far.whole.insert(s);
        else
            so_far.waiting[s] = std::move(entered);
    }
    return so_far;
}

/// On rank 0, when the folder is locked.
void look_at_manifest(ScreenJob& job) {
    const PairOutputs& outputs = job.outputs;
    if (outputs.force) forget_earlier(PairManifest::path(outputs.folder, screen_manifest));
    job.manifest =
        open_manifest(outputs, {outputs.version + " " + outputs.revision, screen_header()},
                      *job.pairs, screen_manifest);
    if (job.manifest->has_other_kind())
        throw not_this_screening(outputs.folder, "another build of the program has begun it");
    ScreenScan scan(job, *job.manifest);
    job.rows.reserve(job.pairs->size());
    for (std::size_t i = 0; i < job.pairs->size(); ++i) job.rows.push_back(scan.look_at(i));
    job.shards = look_at_shards(job);
    job.manifest->forget_pairs();
}

}  // namespace

ScreenJob read_screen_job(const mpi::Communicator& ranks, const DockInput& input,
                          const ScreenRequest& request, const StopFlag& stop) {
    ScreenJob job;
    job.outputs = {
        request.folder, request.receptors,  engine::program_version(), engine::program_revision(),
        request.force,  {input.sets, false}};
    job.summary_path = (fs::path(request.folder) / "screen.csv").string();
    job.write = screened_pair;
    std::string hash;
    ranks.together([&] {
        auto pairs = std::make_unique<ScreenPairs>(read_partner_list(request.receptors),
                                                   read_partner_list(request.ligands), input);
        hash = hash_of(input, *pairs) + request.part.text();
        job.description = {job.outputs.version,     job.outputs.revision, to_json(input),
                           request.pairs_per_shard, request.part,         pairs->receptors(),
                           pairs->ligands()};
        pairs->choose(job.description.layout().pairs());
        job.lines = growing_lines(*pairs);
        job.pairs = std::move(pairs);
        if (!ranks.is_root()) return;
        io::make_folder(request.folder);
        io::check_output_path(description_path(request.folder), true, [](const std::string& there) {
            return io::beginning_of(there).starts_with(description_beginning);
        });
        check_summaries(job, screen_beginning, screen_manifest,
                        {request.receptors, request.ligands});
        job.lock = std::make_unique<io::PartialFolder>(job.summary_path,
                                                       io::RunIdentity{screen_workload, "", "", 0},
                                                       false, io::lock_patience(), &stop.flag());
        job.rotations = choose_rotations(input);
        try {
            require_same_part(job);
            look_at_manifest(job);
        } catch (...) {
            if (!job.lock->resumed()) job.lock->remove();  // a finished screening stays finished
            throw;
        }
        note_screen(*job.lock, std::ssize(job.rows));
    });
    engine::require_same(ranks, "list of proteins", hash,
                         "make sure that all nodes read the same files and options");
    broadcast(ranks, job.rotations);
    job.to_do = unfinished_rows(ranks, job.rows);
    return job;
}

}  // namespace tessera::docking
