#include "app/pages/write_pages.hpp"

#include <filesystem>
#include <fstream>

#include "app/pages/completions.hpp"
#include "app/pages/man_page.hpp"
#include "core/error.hpp"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        throw Error("cannot write '" + path.string() + "'", "the disk refuses it",
                    "see whether the disk is full", ExitCode::resources);
}

}  // namespace

void write_pages(const std::string& folder, const CommandText& program,
                 const std::string& version) {
    const fs::path base = folder;
    fs::create_directories(base / "man1");
    for (const CommandText* command : all_commands(program))
        write(base / "man1" / (page_name(*command) + ".1"), man_page(*command, version));
    write(base / "tessera", bash_completion(program));
    write(base / "_tessera", zsh_completion(program));
    write(base / "tessera.fish", fish_completion(program));
}

}  // namespace tessera::app
