#include "docking/screen/screen_job.hpp"

#include <filesystem>
#include <utility>

#include "docking/pairs/byte_packer.hpp"
#include "docking/pairs/output_scan.hpp"
#include "docking/run/search_run.hpp"
#include "docking/screen/screen_progress.hpp"
#include "docking/screen/screen_table.hpp"
#include "docking/screen/screen_writer.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "io/files/sha256.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "screen.manifest";

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
        if (!known) return {};
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

/// On rank 0, when the folder is locked.
void look_at_manifest(PairsJob& job) {
    const PairOutputs& outputs = job.outputs;
    if (outputs.force) forget_earlier(PairManifest::path(outputs.folder, manifest_name));
    job.manifest =
        open_manifest(outputs, {outputs.version + " " + outputs.revision, screen_header()},
                      *job.pairs, manifest_name);
    if (job.manifest->has_other_kind())
        throw not_this_screening(outputs.folder, "another build of the program has begun it");
    ScreenScan scan(job, *job.manifest);
    job.rows.reserve(job.pairs->size());
    for (std::size_t i = 0; i < job.pairs->size(); ++i) job.rows.push_back(scan.look_at(i));
    job.manifest->forget_pairs();
}

}  // namespace

PairsJob read_screen_job(const mpi::Communicator& ranks, const DockInput& input,
                         const ScreenRequest& request, const StopFlag& stop) {
    PairsJob job;
    job.outputs = {
        request.folder, request.receptors,  engine::program_version(), engine::program_revision(),
        request.force,  {input.sets, false}};
    job.summary_path = (fs::path(request.folder) / "screen.csv").string();
    job.write = screened_pair;
    std::string hash;
    ranks.together([&] {
        auto pairs = std::make_unique<ScreenPairs>(read_partner_list(request.receptors),
                                                   read_partner_list(request.ligands), input);
        hash = hash_of(input, *pairs);
        job.lines = growing_lines(*pairs);
        job.pairs = std::move(pairs);
        if (!ranks.is_root()) return;
        io::make_folder(request.folder);
        check_summaries(job, screen_beginning, manifest_name, {request.receptors, request.ligands});
        job.lock = std::make_unique<io::PartialFolder>(job.summary_path,
                                                       io::RunIdentity{screen_workload, "", "", 0},
                                                       false, io::lock_patience(), &stop.flag());
        job.rotations = choose_rotations(input);
        look_at_manifest(job);
        note_screen(*job.lock, std::ssize(job.rows));
    });
    engine::require_same(ranks, "list of proteins", hash,
                         "make sure that all nodes read the same files and options");
    broadcast(ranks, job.rotations);
    job.to_do = unfinished_rows(ranks, job.rows);
    return job;
}

const ScreenPairs& screen_pairs(const PairsJob& job) {
    return dynamic_cast<const ScreenPairs&>(*job.pairs);
}

}  // namespace tessera::docking
