// The results of a part of a screening, as `tessera merge` reads them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "docking/screen/screen_description.hpp"

namespace tessera::docking {

/// A line of screen.csv without the columns that compare pairs.
struct PartLine {
    std::string text;
    std::optional<double> score;  ///< by which pairs are compared; nothing if the pair failed
};

class PartFolder {
  public:
    /// Throws Error if the folder does not hold a finished screening or part of one.
    explicit PartFolder(std::string path);

    const std::string& path() const { return path_; }
    const ScreenDescription& description() const { return description_; }
    std::string file(const char* name) const { return path_ + "/" + name; }

    /// The lines of all pairs of the part, by number. Throws Error if the table lacks a pair or has
    /// one that is not finished.
    std::vector<PartLine> lines() const;

    /// The hash of the file of each protein: "receptor NAME" and "ligand NAME".
    using Hashes = std::map<std::string, std::string>;
    /// Checks the shards of the part, whose lines are given. Throws Error if one is missing, does
    /// not hold the pairs that are done, or was docked from other files than `hashes` has. Adds the
    /// hashes of new proteins. Returns the numbers of the shards that are there.
    std::vector<std::size_t> check_shards(const std::vector<PartLine>& lines, Hashes& hashes) const;

  private:
    std::string path_;
    ScreenDescription description_;
};

}  // namespace tessera::docking
