// Reads screen.csv, the table of a screening, which may have many millions of lines.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tessera::docking {

/// A line of the table. Only pairs that are done have numbers, and those that compare pairs are
/// missing until all are done.
struct ScreenRow {
    std::string receptor, ligand;
    std::string status;  ///< "done", "failed" or "unfinished"
    std::string reason;  ///< why the pair failed
    std::optional<double> best_score, cluster_z, cluster_size;
    std::optional<double> receptor_z, ligand_z, interaction, rank;
};

/// Calls f for one line after another. A last line without a line feed, which a kill leaves, is
/// left out. Throws Error if the file is not such a table.
void for_each_screen_row(const std::string& path, const std::function<void(const ScreenRow&)>& f);

}  // namespace tessera::docking
