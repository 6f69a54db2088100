#include "docking/pairs/pairs_job.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "docking/pairs/byte_packer.hpp"
#include "docking/pairs/output_scan.hpp"
#include "docking/pairs/pairs_progress.hpp"
#include "docking/run/search_run.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "engine/agreement.hpp"
#include "engine/build_record.hpp"
#include "io/files/input_file.hpp"
#include "io/files/sha256.hpp"
#include "io/files/temporary_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::docking {

namespace {

/// Hash of the settings that all pairs share, and of the names and settings of each pair. The
/// contents of the files are compared pair by pair.
std::string hash_of(const DockInput& common, const std::vector<DockPair>& pairs) {
    io::Sha256 hash;
    hash.add(to_json(common));
    for (const DockPair& pair : pairs) {
        const DockInput& own = pair.input;
        BytePacker fields;
        fields(pair.name, own.receptor_path, own.ligand_path, own.reference_path, own.antibody,
               own.plddt, own.keep, own.drop);
        if (own.membrane.is_set())
            fields(own.membrane.slab, own.membrane.axis, own.membrane.tolerance);
        if (has_own_search(own)) fields(to_json(own));
        for (const auto* texts :
             {&own.receptor_chains, &own.ligand_chains, &own.reference_receptor_chains,
              &own.reference_ligand_chains, &own.restraints.files}) {
            fields(std::uint64_t{texts->size()});
            for (const std::string& text : *texts) fields(text);
        }
        const auto bytes = fields.bytes();
        hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return hash.hex();
}

SummaryLines lines_of(const SummaryFormat& format, const PairSource& pairs) {
    return {format.header(), [format, &pairs](std::size_t row, const PairRow& entry) {
                return summary_line(format, pairs.name(row), entry);
            }};
}

/// Whether a row is docked with the rotations of the run.
bool has_shared_rotations(const PairSource& pairs) {
    for (std::size_t row = 0; row < pairs.size(); ++row)
        if (!pairs.is_own_search(row)) return true;
    return false;
}

PairWriter writer_of(const PairOutputs& outputs) {
    return [outputs](const DockPair& pair, const PreparedDocking& prepared, SortedPoses sorted,
                     io::RunRecord record) {
        return write_pair(outputs, pair, prepared, std::move(sorted), std::move(record));
    };
}

}  // namespace

void check_summaries(const PairsJob& job, const char* first_columns, const char* manifest,
                     const std::vector<std::string>& sources) {
    const auto keep_sources = [&](const std::string& path) {
        for (const std::string& source : sources) io::keep_source(path, source);
    };
    const auto check = [&](const std::string& path, const char* beginning) {
        keep_sources(path);
        io::check_output_path(path, true, [&](const std::string& there) {
            return io::beginning_of(there).starts_with(beginning);
        });
    };
    check(job.summary_path, first_columns);
    check(job.ranks_path(), "rank,host,device,backend,");
    keep_sources(PairManifest::path(job.outputs.folder, manifest));
    PairManifest::check_path(job.outputs.folder, manifest);
}

std::unique_ptr<PairManifest> open_manifest(const PairOutputs& outputs, const ManifestKind& kind,
                                            const PairSource& pairs, const char* file) {
    std::vector<std::string> names(pairs.size());
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = pairs.name(i);
    return std::make_unique<PairManifest>(
        outputs.folder, kind, std::vector<std::string_view>(names.begin(), names.end()), file);
}

std::int64_t PairsJob::tiles() const {
    return to_do.empty() ? 0 : std::ssize(tiles_of(rotations)) * std::ssize(to_do);
}

std::string PairsJob::ranks_path() const {
    return std::filesystem::path(summary_path).replace_extension(".ranks.csv").string();
}

PairsJob read_pairs_job(const mpi::Communicator& ranks, const DockInput& input,
                        const PairsRequest& request, const StopFlag& stop) {
    PairsJob job;
    job.outputs = {
        request.folder, request.table,      engine::program_version(), engine::program_revision(),
        request.force,  {input.sets, false}};
    job.summary_path = (std::filesystem::path(request.folder) / "pairs.csv").string();
    std::string hash;
    ranks.together([&] {
        std::vector<DockPair> pairs = read_pair_list(request.table, input);
        hash = hash_of(input, pairs);
        job.outputs.summary.references = std::ranges::any_of(
            pairs, [](const DockPair& p) { return !p.input.reference_path.empty(); });
        job.pairs = std::make_unique<ListedPairs>(std::move(pairs));
        job.lines = lines_of(job.outputs.summary, *job.pairs);
        job.write = writer_of(job.outputs);
        if (!ranks.is_root()) return;
        io::make_folder(request.folder);
        io::remove_abandoned(request.folder + "/", io::mark_of_result);
        check_summaries(job, summary_beginning, PairManifest::of_dockings, {request.table});
        job.lock = std::make_unique<io::PartialFolder>(job.summary_path,
                                                       io::RunIdentity{pairs_workload, "", "", 0},
                                                       false, io::lock_patience(), &stop.flag());
        if (has_shared_rotations(*job.pairs)) job.rotations = choose_rotations(input);
        job.manifest = open_manifest(job.outputs, job.outputs.kind(), *job.pairs);
        job.rows = look_at_outputs(job.outputs, *job.pairs, *job.manifest);
        job.manifest->forget_pairs();
        note_pairs(*job.lock, *job.pairs, job.rows);
    });
    engine::require_same(ranks, "table of pairs", hash,
                         "make sure that all nodes read the same file and options");
    broadcast(ranks, job.rotations);
    for (const std::size_t row : unfinished_rows(ranks, job.rows))
        (job.pairs->is_own_search(row) ? job.own_searches : job.to_do).push_back(row);
    return job;
}

}  // namespace tessera::docking
