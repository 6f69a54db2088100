// Fields of the tables that name proteins.
#pragma once

#include <string>
#include <vector>

namespace tessera::docking {

/// The chains of a field "A;B", "A,B" or "A B".
std::vector<std::string> chain_names(const std::string& field);

/// The name of a structure by its file: "1ay7_r_b" for "models/1ay7_r_b.pdb.gz".
std::string name_of_structure(const std::string& path);

/// The path of a file that a table names, relative to the folder of the table.
std::string path_beside(const std::string& table, const std::string& path);

}  // namespace tessera::docking
