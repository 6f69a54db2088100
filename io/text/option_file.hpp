// Configuration files: the options of a command in TOML, one key for each option by its long name.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// An option of a configuration file.
struct FileOption {
    std::string name;                 ///< without dashes
    std::vector<std::string> values;  ///< as on a command line; none for a switch
    bool is_switch = false;           ///< true or false in the file
    bool on = false;                  ///< the value of a switch
    std::string place;                ///< "PATH:LINE"
};

/// The text of a configuration file. Throws Error if it cannot be read.
TextSource read_option_text(const std::string& path);

/// Reads the options in the order of their lines. A value is a text, a number, true or false, or a
/// list of texts and numbers. Throws Error that names file and line for everything else.
std::vector<FileOption> parse_option_file(const TextSource& source);

/// The line "name = ..." of a configuration file. Numbers are written bare. One value is a scalar
/// unless `is_list`. The line is ASCII, with escapes for other characters.
std::string option_line(const FileOption& option, bool is_list);

}  // namespace tessera::io
