// Fields of atom records: conversions and checks that the readers of PDB and mmCIF share.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// What an Error advises for a damaged structure file.
inline constexpr const char* repair_structure = "repair the file or download it again";

/// The first part of an Error: "cannot read structure 'PATH'".
std::string structure_problem(const std::string& path);

/// The text without blanks and tabs at its ends.
std::string_view trimmed_field(std::string_view field);

/// The text in upper case.
std::string upper_case(std::string_view field);

/// Values that are not numbers ("nan", "inf", a blank) count as missing.
double finite_or(double value, double otherwise);

/// Throws Error if a coordinate (Angstrom) is not finite or beyond 10^5 A; `where` names the
/// record.
void check_coordinate(double value, const std::string& where, const std::string& path);

}  // namespace tessera::io
