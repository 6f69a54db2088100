// The entries of a formatted checkpoint file: named scalars and arrays.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// What an Error advises for a checkpoint that is incomplete or inconsistent.
inline constexpr const char* fchk_advice =
    "write the checkpoint again (formchk), with basis and orbitals";

/// An entry. "Alpha MO coefficients   R   N=  49" is the head of an array; a scalar has its value
/// on the same line.
struct FchkEntry {
    char type = ' ';  ///< I, R, C, H or L
    bool is_array = false;
    int count = 0;
    const char* line = nullptr;  ///< the start of the line with the name
    std::string_view values;     ///< text from the first value on
};

/// Finds all entries at the start and reads their values on request. Errors name file and line.
class FchkEntries {
  public:
    /// `source` must outlive the object.
    explicit FchkEntries(const TextSource& source);

    /// The entry of that name, or nullptr.
    const FchkEntry* find(const std::string& name) const;
    /// Names that begin and end with these texts, without them: "MP2" of "Total MP2 Density".
    std::vector<std::string> between(std::string_view begin, std::string_view end) const;
    /// Throws Error if the entry is missing.
    const FchkEntry& needed(const std::string& name) const;
    /// The value of a scalar that is a count.
    int scalar(const std::string& name) const;
    /// The values of an array of ints or doubles. `size` is their number, or 0 for any number that
    /// is at least `fewest`.
    template <class Value>
    std::vector<Value> array(const std::string& name, std::size_t size, int fewest = 0) const;

  private:
    const TextSource& source_;
    std::map<std::string, FchkEntry> entries_;
};

/// The first line of the text, without blanks at its end.
std::string fchk_title(const TextSource& source);

/// True if one of the first lines is an entry of that name.
bool has_early_fchk_entry(const TextSource& source, std::string_view name);

}  // namespace tessera::io
