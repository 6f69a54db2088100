// The pages and completions that an installation has besides the program.
#pragma once

#include <string>

#include "app/pages/command_text.hpp"

namespace tessera::app {

/// Writes folder/man1/*.1, and folder/tessera, folder/_tessera and folder/tessera.fish, the
/// completions for bash, zsh and fish. Throws Error if a file cannot be written.
void write_pages(const std::string& folder, const CommandText& program, const std::string& version);

}  // namespace tessera::app
