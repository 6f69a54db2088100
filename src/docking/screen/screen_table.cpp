#include "docking/screen/screen_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/error.hpp"
#include "docking/pairs/pair_summary.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

constexpr const char* own_columns =
    "grid,poses,best_score,mean_score,score_deviation,best_z,cluster_z,cluster_size,"
    "rotation_w,rotation_x,rotation_y,rotation_z,translation_x,translation_y,translation_z,"
    "warnings";
constexpr const char* comparing_columns = "receptor_z,ligand_z,interaction,rank";
constexpr std::size_t compared_column = 6;  ///< cluster_z in `own_columns`

std::ptrdiff_t commas(std::string_view text) { return std::ranges::count(text, ','); }

/// A line of the table. `comparing` begins with a comma.
std::string screen_line(const ScreenPairs& pairs, std::size_t row, const PairRow& entry,
                        const std::string& comparing) {
    const std::string names =
        io::csv_field(pairs.receptor(row).name) + "," + io::csv_field(pairs.ligand(row).name);
    if (entry.status == PairRow::Status::done) return names + ",done,," + entry.summary + comparing;
    const char* status = entry.status == PairRow::Status::failed ? "failed" : "unfinished";
    return names + "," + status + "," + io::csv_field(entry.failure.reason) +
           std::string(static_cast<std::size_t>(commas(own_columns)) + 1, ',') + comparing;
}

std::string blank_columns() {
    return std::string(static_cast<std::size_t>(commas(comparing_columns)) + 1, ',');
}

}  // namespace

std::string screen_header() {
    return std::string(screen_beginning) + own_columns + "," + comparing_columns;
}

std::string screen_fields(const DockResult& result, const InteractionScore& score,
                          const std::vector<std::string>& warnings) {
    const Pose& best = result.lists.front().poses.front();
    const Quaternion& q = result.rotations[static_cast<std::size_t>(best.rotation)];
    const Vec3& t = best.translation;
    return fmt::format("{},{},{:.3f},{:.3f},{:.3f},{:.4f},{:.4f},{},", result.frame.n, score.poses,
                       score.best, score.mean, score.deviation, score.best_z, score.cluster_z,
                       score.cluster_size) +
           fmt::format("{:.7f},{:.7f},{:.7f},{:.7f},{:.4f},{:.4f},{:.4f},{}", q.w, q.x, q.y, q.z,
                       t.x, t.y, t.z, io::csv_field(warnings_text(warnings)));
}

double compared_score(const std::string& fields) {
    const io::TextSource source{"screen.csv", fields, "table"};
    const io::CsvRow row = io::parse_csv_table(source).front();
    if (row.fields.size() <= compared_column)
        throw Error("cannot use the results of an earlier run", "a line lacks its scores",
                    "start over with --force");
    return io::csv_number(row, compared_column, source.path);
}

std::string line_alone(const std::string& line) {
    std::size_t end = line.size();
    for (std::ptrdiff_t i = 0; i <= commas(comparing_columns); ++i) {
        if (end > 0) end = line.rfind(',', end - 1);
        if (end == std::string::npos || end == 0)
            throw Error("cannot use a table of a screening", "a line has too few columns",
                        "give unchanged folders of tessera screen");
    }
    return line.substr(0, end);
}

std::string comparing_fields(const std::optional<NormalisedScore>& score) {
    if (!score) return blank_columns();
    return fmt::format(",{:.4f},{:.4f},{:.4f},{}", score->receptor_z, score->ligand_z,
                       score->interaction, score->rank);
}

SummaryLines growing_lines(const ScreenPairs& pairs) {
    return {screen_header(), [&pairs](std::size_t row, const PairRow& entry) {
                return screen_line(pairs, row, entry, blank_columns());
            }};
}

std::vector<std::optional<NormalisedScore>> compare_rows(const ScreenPairs& pairs,
                                                         const std::vector<PairRow>& rows) {
    std::vector<std::optional<double>> scores(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].status == PairRow::Status::done) scores[i] = compared_score(rows[i].summary);
    return normalised_scores(scores, pairs.ligands().size());
}

SummaryLines whole_lines(const ScreenPairs& pairs, const std::vector<PairRow>& rows) {
    const auto scores = std::make_shared<const std::vector<std::optional<NormalisedScore>>>(
        compare_rows(pairs, rows));
    return {screen_header(), [&pairs, scores](std::size_t row, const PairRow& entry) {
                return screen_line(pairs, row, entry, comparing_fields((*scores)[row]));
            }};
}

}  // namespace tessera::docking
