// A list of proteins that a screening docks with all proteins of another list.
#pragma once

#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

struct ScreenPartner {
    std::string name;
    int line = 0;  ///< in the list
    std::string path;
    std::vector<std::string> chains;  ///< empty: all

    bool operator==(const ScreenPartner&) const = default;
};

/// Stands between the names of the partners in the name of a pair. No name of a partner contains it
/// or begins or ends with an underscore, so two pairs never share a name.
inline constexpr const char* between_names = "__";

/// Reads a CSV table with a header line. The columns, in any order, are file and the optional name
/// and chains (several are written "A;B"). Paths are relative to the folder of the list. A missing
/// name is made from the name of the file. Throws Error with the line number if the list is
/// malformed or two partners have the same name. Does not look at the files that it names.
std::vector<ScreenPartner> read_partner_list(const std::string& path);
std::vector<ScreenPartner> parse_partner_list(const io::TextSource& source);

}  // namespace tessera::docking
