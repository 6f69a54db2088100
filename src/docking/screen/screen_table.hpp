// The lines of screen.csv, the table of a screening.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/pairs/pair_ledger.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/screen/interaction_score.hpp"
#include "docking/screen/normalised_scores.hpp"
#include "docking/screen/screen_pairs.hpp"

namespace tessera::docking {

/// How every table of a screening begins, by which it is recognised.
inline constexpr const char* screen_beginning = "receptor,ligand,status,reason,";

/// The header without a line feed. After the columns of a pair alone come those that compare it
/// with others.
std::string screen_header();

/// The columns of a finished pair that do not depend on other pairs, from `grid` to `warnings`.
std::string screen_fields(const DockResult& result, const InteractionScore& score,
                          const std::vector<std::string>& warnings);

/// The score by which pairs are compared, from screen_fields(): the column cluster_z. Throws Error
/// if the text is not from there.
double compared_score(const std::string& fields);

/// The lines while the run goes on: columns that compare pairs are blank. The pairs must outlive
/// the lines.
SummaryLines growing_lines(const ScreenPairs& pairs);

/// The lines of the whole table, from all `rows`.
SummaryLines whole_lines(const ScreenPairs& pairs, const std::vector<PairRow>& rows);

/// A line without its columns that compare pairs, from a table of the same header. Throws Error if
/// it has too few columns.
std::string line_alone(const std::string& line);
/// The columns that compare a pair, beginning with a comma.
std::string comparing_fields(const std::optional<NormalisedScore>& score);

/// The normalised scores of all rows.
std::vector<std::optional<NormalisedScore>> compare_rows(const ScreenPairs& pairs,
                                                         const std::vector<PairRow>& rows);

}  // namespace tessera::docking
