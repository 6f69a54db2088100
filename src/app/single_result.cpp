#include "app/single_result.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "docking/pairs/pair_summary.hpp"
#include "docking/screen/screen_table.hpp"
#include "io/files/input_file.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;

/// The file of the first pair that is done, as far as the beginning of the summary tells.
fs::path first_result(const std::string& path, const std::string& beginning) {
    const fs::path folder = fs::path(path).parent_path();
    const std::string whole_lines = beginning.substr(0, beginning.rfind('\n') + 1);
    for (const io::CsvRow& row : io::parse_csv_table({path, whole_lines, "summary"})) {
        const fs::path file = folder / (row.fields[0] + ".h5");
        if (row.fields.size() > 1 && row.fields[1] == "done" && fs::exists(file)) return file;
    }
    return {};
}

}  // namespace

void refuse_pairs_summary(const std::string& path, const std::string& product) {
    constexpr std::size_t looked_at = std::size_t{1} << 16;
    if (!fs::is_regular_file(path)) return;
    const std::string beginning = io::beginning_of(path, looked_at);
    if (beginning.starts_with(docking::screen_beginning))
        throw Error("'" + path + "' is the table of a screening",
                    product + " is made of one result file",
                    "read it as it is, or give the result of a pair that was docked again "
                    "(--redock)");
    if (!beginning.starts_with(docking::summary_beginning)) return;
    const fs::path file = first_result(path, beginning);
    throw Error("'" + path + "' is the summary of many pairs",
                product + " is made of one result file",
                file.empty() ? "give the file NAME.h5 of a pair that is done"
                             : "give that of a pair, such as " + file.string());
}

void refuse_table_folder(const std::string& path, const std::string& product) {
    const std::string problem = "'" + path + "' is a folder";
    if (const fs::path table = fs::path(path) / "screen.csv"; fs::exists(table))
        throw Error(problem, product + " is made of one result",
                    "read '" + table.string() + "', which is the table of all pairs");
    const fs::path summary = fs::path(path) / "pairs.csv";
    if (fs::exists(summary))
        throw Error(problem, product + " is made of one result",
                    "read '" + summary.string() +
                        "', which is the table of all pairs, or give the "
                        "file NAME.h5 of a pair");
}

void refuse_folder(const std::string& path, const std::string& product) {
    if (!fs::is_directory(path)) return;
    refuse_table_folder(path, product);
    const std::string problem = "'" + path + "' is a folder";
    if (fs::exists(fs::path(path) / "run"))
        throw Error(problem, "its run is not finished", "see tessera info " + path);
    throw Error(problem, product + " is made of one result", "give the file of a run");
}

}  // namespace tessera::app
