// Run by the build: writes the manual pages and the completions of tessera into a folder.
#include <cstdio>
#include <exception>

#include <build_info.hpp>

#include "app/command_line.hpp"
#include "app/pages/write_pages.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: write_pages FOLDER\n");
        return 2;
    }
    try {
        const tessera::app::CommandLine command_line(1, argv);
        tessera::app::write_pages(argv[1], tessera::app::text_of(command_line.program()),
                                  tessera::build_info::version);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_pages: %s\n", error.what());
        return 1;
    }
    return 0;
}
