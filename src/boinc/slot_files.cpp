#include "boinc/slot_files.hpp"

#include <utility>

namespace tessera::boinc {

namespace fs = std::filesystem;

namespace {

bool is_plain_file(const fs::path& path) { return fs::is_regular_file(fs::symlink_status(path)); }

/// As fs::rename, also to another file system. The file appears under its name when it is whole.
void move_file(const fs::path& from, const fs::path& to) {
    std::error_code other_disk;
    fs::rename(from, to, other_disk);
    if (!other_disk) return;
    const fs::path beside = to.string() + ".part";
    fs::copy_file(from, beside, fs::copy_options::overwrite_existing);
    fs::rename(beside, to);
    fs::remove(from);
}

}  // namespace

std::string output_of(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if ((words[i] == "-o" || words[i] == "--output") && i + 1 < words.size())
            return words[i + 1];
        if (words[i].starts_with("--output=")) return words[i].substr(9);
    }
    return "";
}

SlotFiles::SlotFiles(fs::path slot, Resolve resolve, std::string output)
    : slot_(std::move(slot)),
      folder_(slot_ / "files"),
      resolve_(std::move(resolve)),
      output_(std::move(output)) {}

bool SlotFiles::has_result() const {
    return !output_.empty() && (is_plain_file(folder_ / output_) || is_plain_file(destination()));
}

void SlotFiles::link_inputs() const {
    fs::create_directory(folder_);
    for (const auto& entry : fs::directory_iterator(slot_)) {
        const std::string name = entry.path().filename();
        if (!is_plain_file(entry.path()) || name == output_) continue;
        const fs::path source = fs::path(resolve_(name));
        if (!fs::exists(slot_ / source)) continue;
        const fs::path link = folder_ / name;
        if (fs::is_symlink(link)) fs::remove(link);  // the client may have moved the project
        if (!fs::exists(link)) fs::create_symlink(".." / source, link);
    }
}

void SlotFiles::deliver() const {
    if (output_.empty() || !is_plain_file(folder_ / output_)) return;
    move_file(folder_ / output_, destination());
}

}  // namespace tessera::boinc
