#include "docking/pairs/output_scan.hpp"

#include <utility>

#include "core/stop_flag.hpp"
#include "io/files/input_file.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/journal/partial_folder.hpp"

namespace tessera::docking {

void stop_if_asked() {
    if (StopFlag::asked())
        throw Error("stopped while results of earlier runs were looked at", "a signal asked for it",
                    "start the same command again", ExitCode::requeue);
}

InputHashes::Seen& InputHashes::seen(const std::string& path) {
    const auto [file, is_new] = files_.try_emplace(path);
    if (is_new) {
        file->second.when = io::nanoseconds_now();
        file->second.status = io::file_status(path);
    }
    return file->second;
}

const std::optional<io::FileStatus>& InputHashes::status(const std::string& path) {
    return seen(path).status;
}

const std::string& InputHashes::sha256(const std::string& path) {
    Seen& file = seen(path);
    if (!file.sha256.empty()) return file.sha256;
    if (file.status)
        if (auto known = manifest_.hash_of(path, file.status->stamp))
            return file.sha256 = std::move(*known);
    std::string hash = io::sha256_of_file(path);
    ++read_;
    if (file.status && file.status->stamp.is_settled(file.when))
        manifest_.add({path, file.status->stamp, hash});
    return file.sha256 = std::move(hash);
}

PairRow OutputScan::look_at(std::size_t index, const DockPair& pair) {
    stop_if_asked();
    const std::string path = outputs_.path(pair);
    try {
        const auto output = io::file_status(path);
        if (output) keep_inputs(path, *output, pair);
        if (outputs_.force) io::check_output_path(path, true);
        if (outputs_.force || !output) return {};
        return look_at_file(index, pair, output->stamp);
    } catch (const Error& error) {
        if (error.code() == ExitCode::requeue || dynamic_cast<const io::JournalError*>(&error))
            throw;
        return {PairRow::Status::failed, "", {error.what(), error.code()}};
    }
}

/// Throws Error if the result would replace an input of the pair.
void OutputScan::keep_inputs(const std::string& path, const io::FileStatus& output,
                             const DockPair& pair) {
    for (const std::string& input : input_files(pair.input))
        if (const auto& source = inputs_.status(input); source && source->same_file(output))
            io::keep_source(path, input);
}

std::string OutputScan::input_sha256(const DockPair& pair) {
    FileHashes files;
    for (const std::string& path : input_files(pair.input)) files[path] = inputs_.sha256(path);
    return input_hash(pair.input, files);
}

PairRow OutputScan::look_at_file(std::size_t index, const DockPair& pair,
                                 const io::FileStamp& stamp) {
    const std::string path = outputs_.path(pair);
    std::string why = "it exists and is not the result of this input by this build";
    try {
        const std::string hash = input_sha256(pair);
        if (auto row = manifest_.row_of(index, stamp, hash))
            return {PairRow::Status::done, std::move(*row), {}};
        ++opened_;
        if (auto row = finished_row(outputs_, pair, hash)) {
            io::remove_finished_folder(path);
            manifest_.add(pair.name, {*row, stamp, hash, {}});
            return {PairRow::Status::done, std::move(*row), {}};
        }
    } catch (const io::JournalError&) {
        throw;
    } catch (const Error& error) {
        if (error.code() == ExitCode::requeue) throw;
        why = error.what();
    }
    return {PairRow::Status::failed,
            "",
            {"cannot write '" + path + "' (" + why +
                 "): remove it, choose another folder, or replace it with --force",
             ExitCode::usage}};
}

std::vector<PairRow> look_at_outputs(const PairOutputs& outputs, const PairSource& pairs,
                                     PairManifest& manifest) {
    OutputScan scan(outputs, manifest);
    std::vector<PairRow> rows;
    rows.reserve(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) rows.push_back(scan.look_at(i, pairs.pair(i)));
    return rows;
}

}  // namespace tessera::docking
