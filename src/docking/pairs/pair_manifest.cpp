#include "docking/pairs/pair_manifest.hpp"

#include <cstdint>
#include <filesystem>
#include <utility>

#include "docking/pairs/byte_packer.hpp"
#include "io/files/input_file.hpp"
#include "io/hdf5/output_path.hpp"

namespace tessera::docking {

namespace fs = std::filesystem;

namespace {

enum class Kind : std::uint64_t { pair = 1, input = 2 };

/// Changes with the format of the records.
io::JournalKey manifest_key() { return io::journal_key("tessera dock --pairs, manifest 1"); }

/// Also of a journal whose writer was killed before it had written the head.
bool is_journal(const std::string& path) {
    const std::string text = io::beginning_of(path);
    return text.starts_with("tessera journal ") ||
           text.find_first_not_of('\0') == std::string::npos;
}

}  // namespace

std::vector<InputRecord> input_records(const PreparedDocking& prepared) {
    std::vector<InputRecord> inputs;
    for (const auto& [path, stamp] : prepared.stamps)
        if (const auto hash = prepared.files.find(path); hash != prepared.files.end())
            inputs.push_back({path, stamp, hash->second});
    return inputs;
}

std::string PairManifest::path(const std::string& folder, const char* file) {
    return (fs::path(folder) / file).string();
}

void PairManifest::check_path(const std::string& folder, const char* file) {
    io::check_output_path(path(folder, file), true, is_journal);
}

PairManifest::PairManifest(const std::string& folder, ManifestKind kind,
                           const std::vector<std::string_view>& names, const char* file)
    : kind_(std::move(kind)), pairs_(names.size()) {
    const std::string path = PairManifest::path(folder, file);
    check_path(folder, file);
    Indices indices;
    for (std::size_t i = 0; i < names.size(); ++i) indices.emplace(names[i], i);
    read(path, indices);
    journal_ = std::make_unique<io::JournalWriter>(path, manifest_key());
}

void PairManifest::read(const std::string& path, const Indices& indices) {
    try {
        io::read_journal(path, manifest_key(),
                         [&](io::Record record, bool) { take(record, indices); });
    } catch (const io::JournalError&) {
        throw;
    } catch (const Error&) {  // of another format, or its head is damaged
        std::error_code ignored;
        fs::remove(path, ignored);
    }
}

void PairManifest::take(io::Record record, const Indices& indices) {
    try {
        ByteUnpacker bytes(record);
        Kind what{};
        bytes(what);
        if (what == Kind::input) {
            std::string path;
            KnownInput input;
            bytes(path, input.file, input.sha256);
            inputs_.insert_or_assign(std::move(path), std::move(input));
        } else if (what == Kind::pair) {
            std::string name;
            ManifestKind kind;
            KnownPair pair;
            bytes(name, kind.build, kind.columns, pair.file, pair.input_sha256, pair.row);
            const auto index = indices.find(name);
            if (index == indices.end()) return;
            pairs_[index->second].reset();
            has_other_kind_ |= kind != kind_;
            if (kind != kind_) return;
            bytes(pair.poses);
            pairs_[index->second] = std::move(pair);
        }
    } catch (const Error&) {
        return;  // a record that this build does not understand
    }
}

std::optional<std::string> PairManifest::row_of(std::size_t index, const io::FileStamp& file,
                                                const std::string& input_sha256) const {
    const auto& known = pairs_.at(index);
    if (!known || known->file != file || known->input_sha256 != input_sha256) return std::nullopt;
    return known->row;
}

std::optional<std::string> PairManifest::hash_of(const std::string& path,
                                                 const io::FileStamp& file) const {
    const auto known = inputs_.find(path);
    if (known == inputs_.end() || known->second.file != file) return std::nullopt;
    return known->second.sha256;
}

void PairManifest::add(const InputRecord& input) {
    KnownInput& known = inputs_[input.path];
    if (known.file == input.file && known.sha256 == input.sha256) return;
    known = {input.file, input.sha256};
    BytePacker bytes;
    bytes(Kind::input, input.path, input.file, input.sha256);
    journal_->append(bytes.bytes());
}

void PairManifest::add(std::string_view name, const WrittenPair& written) {
    for (const InputRecord& input : written.inputs) add(input);
    BytePacker bytes;
    bytes(Kind::pair, std::string(name), kind_.build, kind_.columns, written.file,
          written.input_sha256, written.row, written.poses);
    journal_->append(bytes.bytes());
}

void PairManifest::join(const std::vector<std::string>& manifests, const std::string& path) {
    io::JournalWriter joined(path, manifest_key(), io::JournalStart::anew);
    for (const std::string& manifest : manifests)
        io::read_journal(manifest, manifest_key(),
                         [&](io::Record record, bool) { joined.append(record); });
    joined.close(true);
}

}  // namespace tessera::docking
