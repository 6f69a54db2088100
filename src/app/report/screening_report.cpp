#include "app/report/screening_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "docking/screen/screen_rows.hpp"

namespace tessera::app {

namespace {

using docking::ScreenRow;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 1000;     ///< pairs in the table of the page
constexpr std::size_t most_failures = 100;  ///< pairs whose failure is told
constexpr std::size_t most_side = 200;      ///< receptors or ligands in the map
constexpr std::int64_t most_bars = 60;      ///< of the histogram, for many pairs
constexpr std::int64_t fewest_bars = 10;    ///< for few
constexpr double fine = 0.01;               ///< width of the bins that are counted first
constexpr double farthest = 1000;           ///< a score beyond counts in the last of them

/// Proteins of one side in the order of the table, with the best score of each.
class Side {
  public:
    std::size_t place_of(const std::string& name) {
        const auto [found, is_new] = places_.emplace(name, names_.size());
        if (is_new) {
            names_.push_back(name);
            best_.push_back(-std::numeric_limits<double>::infinity());
        }
        return found->second;
    }
    void note(std::size_t place, double score) { best_[place] = std::max(best_[place], score); }

    /// All of them, or those with the best scores, the best first.
    std::vector<std::size_t> shown() const {
        std::vector<std::size_t> places(names_.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        if (places.size() <= most_side) return places;
        std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) { return best_[i]; });
        places.resize(most_side);
        return places;
    }
    std::size_t size() const { return names_.size(); }
    const std::string& name(std::size_t place) const { return names_[place]; }

  private:
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<std::string> names_;
    std::vector<double> best_;
};

/// The rows with the highest scores. Equal ones keep the order of the table.
class BestRows {
  public:
    void add(double score, const ScreenRow& row) {
        if (rows_.size() >= 2 * most_rows) cut();
        rows_.emplace_back(score, row);
    }
    const std::vector<std::pair<double, ScreenRow>>& rows() {
        cut();
        return rows_;
    }

  private:
    void cut() {
        std::ranges::stable_sort(rows_, std::greater{}, &std::pair<double, ScreenRow>::first);
        if (rows_.size() > most_rows) rows_.resize(most_rows);
    }

    std::vector<std::pair<double, ScreenRow>> rows_;
};

std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
    return number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor);
}

/// The first of 1, 2, 5, 10, 20 ... that divides the span into at most `bars`.
std::int64_t round_width(std::int64_t span, std::int64_t bars) {
    for (std::int64_t power = 1;; power *= 10)
        for (const std::int64_t width : {power, 2 * power, 5 * power})
            if (span / width < bars - 1) return width;
}

/// Counts of scores.
class Histogram {
  public:
    void add(double score) {
        ++counts_[std::llround(std::floor(std::clamp(score, -farthest, farthest) / fine))];
        ++total_;
    }
    /// At most twice the cube root of the number of scores as bars (Rice's rule).
    Json json() const {
        if (counts_.empty()) return nullptr;
        const std::int64_t low = counts_.begin()->first, high = counts_.rbegin()->first;
        const std::int64_t bars_wanted =
            std::clamp(std::int64_t{std::llround(2 * std::cbrt(total_))}, fewest_bars, most_bars);
        const std::int64_t width = round_width(high - low, bars_wanted);
        const std::int64_t first = floor_of(low, width);
        std::vector<std::int64_t> bars(static_cast<std::size_t>(floor_of(high, width) - first) + 1);
        for (const auto& [bin, count] : counts_)
            bars[static_cast<std::size_t>(floor_of(bin, width) - first)] += count;
        const double step = fine * static_cast<double>(width);
        return {{"from", static_cast<double>(first) * step}, {"width", step}, {"counts", bars}};
    }

  private:
    std::map<std::int64_t, std::int64_t> counts_;
    double total_ = 0;
};

/// A number, or null.
Json value_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of(const ScreenRow& row, bool compared) {
    Json json{{"receptor", row.receptor}, {"ligand", row.ligand}};
    if (compared) {
        json["interaction"] = value_of(row.interaction);
        json["rank"] = static_cast<std::int64_t>(row.rank.value_or(0));
        json["receptor_z"] = value_of(row.receptor_z);
        json["ligand_z"] = value_of(row.ligand_z);
    }
    json["cluster_z"] = value_of(row.cluster_z);
    json["cluster_size"] = static_cast<std::int64_t>(row.cluster_size.value_or(0));
    json["best_score"] = value_of(row.best_score);
    return json;
}

/// Where each of `size` places stands in `shown`; `size` if it does not.
std::vector<std::size_t> places_in(const std::vector<std::size_t>& shown, std::size_t size) {
    std::vector<std::size_t> places(size, size);
    for (std::size_t i = 0; i < shown.size(); ++i) places[shown[i]] = i;
    return places;
}

class ScreeningReport {
  public:
    explicit ScreeningReport(const std::string& table) : table_(table) {
        docking::for_each_screen_row(table_, [&](const ScreenRow& row) { take(row); });
    }

    Json json() {
        Json rows = Json::array();
        for (const auto& [score, row] : best_.rows()) rows.push_back(json_of(row, compared_));
        return {{"receptors", receptors_.size()},
                {"ligands", ligands_.size()},
                {"pairs", pairs_},
                {"done", done_},
                {"failed", failed_},
                {"score", compared_ ? "interaction" : "cluster_z"},
                {"rows", std::move(rows)},
                {"histogram", histogram_.json()},
                {"map", map()},
                {"failures", failures_}};
    }

  private:
    void take(const ScreenRow& row) {
        const std::size_t receptor = receptors_.place_of(row.receptor);
        const std::size_t ligand = ligands_.place_of(row.ligand);
        ++pairs_;
        if (row.status == "failed" && ++failed_ <= most_failures)
            failures_.push_back(
                {{"receptor", row.receptor}, {"ligand", row.ligand}, {"reason", row.reason}});
        if (row.status != "done") return;
        if (++done_ == 1) compared_ = row.interaction.has_value();
        const double score = score_of(row);
        receptors_.note(receptor, score);
        ligands_.note(ligand, score);
        best_.add(score, row);
        histogram_.add(score);
    }

    double score_of(const ScreenRow& row) const {
        return (compared_ ? row.interaction : row.cluster_z).value_or(0);
    }

    /// The scores of receptors and ligands: [receptor][ligand], null for pairs without one.
    Json map() {
        if (std::min(receptors_.size(), ligands_.size()) < 2 || done_ == 0) return nullptr;
        const auto rows = receptors_.shown(), columns = ligands_.shown();
        Json scores(rows.size(), Json(columns.size(), Json()));
        const auto row_of = places_in(rows, receptors_.size());
        const auto column_of = places_in(columns, ligands_.size());
        docking::for_each_screen_row(table_, [&](const ScreenRow& pair) {
            const std::size_t receptor = receptors_.place_of(pair.receptor);
            const std::size_t ligand = ligands_.place_of(pair.ligand);
            // The table of a run that goes on may have grown.
            if (receptor >= row_of.size() || ligand >= column_of.size()) return;
            const std::size_t row = row_of[receptor], column = column_of[ligand];
            if (pair.status == "done" && row < rows.size() && column < columns.size())
                scores[row][column] = score_of(pair);
        });
        const auto names = [](const Side& side, const std::vector<std::size_t>& shown) {
            Json list = Json::array();
            for (const std::size_t place : shown) list.push_back(side.name(place));
            return list;
        };
        return {{"receptors", names(receptors_, rows)},
                {"ligands", names(ligands_, columns)},
                {"scores", std::move(scores)}};
    }

    std::string table_;
    Side receptors_, ligands_;
    BestRows best_;
    Histogram histogram_;
    std::size_t pairs_ = 0, done_ = 0, failed_ = 0;
    bool compared_ = false;  ///< whether pairs are compared with others
    Json failures_ = Json::array();
};

}  // namespace

Json screening_report(const std::string& folder) {
    return ScreeningReport((std::filesystem::path(folder) / "screen.csv").string()).json();
}

}  // namespace tessera::app
