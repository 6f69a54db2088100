// Finds which of a few names a mistyped word means, or says that it means none.
#pragma once

#include <string>
#include <vector>

namespace tessera::io {

/// The name that differs from `word` in at most two characters (in one if it is short), or else the
/// only one that begins with `word`. Empty if there is none.
std::string near_name(const std::string& word, const std::vector<std::string>& names);

/// Throws Error for a word that is neither one of the names nor a file: "unknown KIND 'WORD' (did
/// you mean NAME?): use NAMES, or a file of your own".
[[noreturn]] void refuse_name(const std::string& kind, const std::string& word,
                              const std::vector<std::string>& names);

/// Does that if there is no file `word` either.
void require_name_or_file(const std::string& kind, const std::string& word,
                          const std::vector<std::string>& names);

}  // namespace tessera::io
