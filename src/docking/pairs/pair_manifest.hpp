// What a folder of results knows about its finished pairs, so that a later run need not read them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "docking/setup/prepare.hpp"
#include "io/files/file_stamp.hpp"
#include "io/journal/journal.hpp"

namespace tessera::docking {

/// An input file, as the file system described it just before it was read.
struct InputRecord {
    std::string path;
    io::FileStamp file;
    std::string sha256;
};

/// The result file of a pair, as the rank that wrote it describes it.
struct WrittenPair {
    std::string row;     ///< its row of the summary
    io::FileStamp file;  ///< after it got its name
    std::string input_sha256;
    std::vector<InputRecord> inputs;  ///< those that a later run need not hash again
    std::string poses = {};           ///< what a screening keeps of it, packed; else empty
};

/// The inputs of the pair that a later run need not hash again.
std::vector<InputRecord> input_records(const PreparedDocking& prepared);

/// What must be equal, apart from the files, for a result of an earlier run to stand for a pair.
struct ManifestKind {
    std::string build;    ///< version and revision of the program
    std::string columns;  ///< header of the summary
    bool operator==(const ManifestKind&) const = default;
};

/// A file in the folder of a run's results, on rank 0: a journal (io/journal) with a record for
/// each result and for each input file, as they were last seen. Records are only appended; of
/// several about one file the last one counts. The journal brings them to the disk every ten
/// seconds. A manifest that is damaged or from another version of its format counts as far as it
/// can be read; the rest is forgotten, and the results are read again.
class PairManifest {
  public:
    /// The manifest of `tessera dock --pairs`.
    static constexpr const char* of_dockings = "pairs.manifest";

    /// Reads the manifest of the folder, or begins one. Keeps the records of `names` that have the
    /// same `kind`. Throws Error if the file is not from this program, or cannot be read or
    /// written.
    PairManifest(const std::string& folder, ManifestKind kind,
                 const std::vector<std::string_view>& names, const char* file = of_dockings);

    static std::string path(const std::string& folder, const char* file = of_dockings);
    /// Throws Error if a file of that name is not from this program. Call it before the folder is
    /// changed.
    static void check_path(const std::string& folder, const char* file = of_dockings);

    struct KnownPair {
        io::FileStamp file;
        std::string input_sha256, row, poses;
    };
    /// The last record of pair `index`. Nothing if there is none of this kind.
    const std::optional<KnownPair>& known(std::size_t index) const { return pairs_.at(index); }
    /// Whether any of the pairs has a record of another kind.
    bool has_other_kind() const { return has_other_kind_; }

    /// The row of pair `index`, if its result file has the stamp and the hash of the input that the
    /// manifest knows.
    std::optional<std::string> row_of(std::size_t index, const io::FileStamp& file,
                                      const std::string& input_sha256) const;
    /// The hash of an input file that has the stamp that the manifest knows.
    std::optional<std::string> hash_of(const std::string& path, const io::FileStamp& file) const;

    /// Appends what is new.
    void add(const InputRecord& input);
    void add(std::string_view name, const WrittenPair& written);

    /// Brings all records to the disk and ends the writing.
    void close() { journal_->close(true); }

    /// Writes a manifest with all records of several others, in their order.
    static void join(const std::vector<std::string>& manifests, const std::string& path);

    /// Forgets the records of pairs that were read at the start, to free their memory.
    void forget_pairs() { pairs_ = {}; }

  private:
    struct KnownInput {
        io::FileStamp file;
        std::string sha256;
    };
    using Indices = std::unordered_map<std::string_view, std::size_t>;

    void read(const std::string& path, const Indices& indices);
    void take(io::Record record, const Indices& indices);

    ManifestKind kind_;
    bool has_other_kind_ = false;
    std::vector<std::optional<KnownPair>> pairs_;
    std::unordered_map<std::string, KnownInput> inputs_;
    std::unique_ptr<io::JournalWriter> journal_;
};

}  // namespace tessera::docking
