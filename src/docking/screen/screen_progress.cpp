#include "docking/screen/screen_progress.hpp"

#include <filesystem>
#include <fstream>

#include "io/files/whole_file.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

constexpr const char* note_name = "pairs";

}  // namespace

void note_screen(const io::PartialFolder& folder, std::int64_t pairs) {
    io::WholeFile file(folder.file(note_name));
    file.write(std::to_string(pairs) + "\n");
    file.commit();
}

std::optional<ScreenProgress> read_screen_progress(const std::string& folder) {
    ScreenProgress progress;
    if (!(std::ifstream(fs::path(folder) / note_name) >> progress.pairs) || progress.pairs < 0)
        return std::nullopt;
    // Names cannot contain commas, and only fields behind the status can contain line feeds.
    std::ifstream table(fs::path(folder) / ".." / "screen.csv");
    for (std::string line; std::getline(table, line);) {
        const std::size_t ligand = line.find(',');
        if (table.eof() || ligand == std::string::npos) continue;  // not a whole line
        const std::size_t status = line.find(',', ligand + 1);
        if (status == std::string::npos) continue;
        progress.done += line.compare(status + 1, 5, "done,") == 0;
        progress.failed += line.compare(status + 1, 7, "failed,") == 0;
    }
    return progress;
}

}  // namespace tessera::docking
