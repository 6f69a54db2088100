#include "docking/screen/redock_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "docking/screen/screen_table.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

namespace fs = std::filesystem;

std::string path_from(const std::string& folder, const std::string& path) {
    if (fs::path(path).is_absolute()) return path;
    return fs::absolute(path)
        .lexically_normal()
        .lexically_proximate(fs::absolute(folder).lexically_normal())
        .string();
}

}  // namespace

std::string redock_table(const ScreenPairs& pairs, const std::vector<PairRow>& rows,
                         std::int64_t best, const std::string& folder) {
    std::string table = "name,receptor,ligand,receptor_chains,ligand_chains\n";
    const auto scores = compare_rows(pairs, rows);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!scores[i] || scores[i]->rank > best) continue;
        const ScreenPartner &receptor = pairs.receptor(i), &ligand = pairs.ligand(i);
        table += io::csv_field(pairs.name(i));
        for (const std::string& field :
             {path_from(folder, receptor.path), path_from(folder, ligand.path),
              fmt::format("{}", fmt::join(receptor.chains, ";")),
              fmt::format("{}", fmt::join(ligand.chains, ";"))})
            table += "," + io::csv_field(field);
        table += "\n";
    }
    return table;
}

}  // namespace tessera::docking
