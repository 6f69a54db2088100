#include "docking/screen/normalised_scores.hpp"

#include <algorithm>
#include <cmath>

#include "core/compensated_sum.hpp"

namespace tessera::docking {

namespace {

using Scores = std::vector<std::optional<double>>;

/// Mean and standard deviation of every `step`-th score from `first` to before `last`.
struct Distribution {
    double mean = 0, deviation = 0;

    Distribution(const Scores& scores, std::size_t first, std::size_t last, std::size_t step) {
        CompensatedSum<double> sum, squares;
        double count = 0;
        const auto each = [&](const auto& visit) {
            for (std::size_t i = first; i < last; i += step)
                if (scores[i]) visit(*scores[i]);
        };
        each([&](double score) {
            sum.add(score);
            ++count;
        });
        if (count == 0) return;
        mean = sum.result() / count;
        each([&](double score) { squares.add((score - mean) * (score - mean)); });
        deviation = std::sqrt(squares.result() / count);
    }

    double z(double score) const { return deviation == 0 ? 0 : (score - mean) / deviation; }
};

/// Numbers the pairs [first, last) of a receptor.
void rank_pairs(std::vector<std::optional<NormalisedScore>>& all, std::size_t first,
                std::size_t last) {
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < last; ++i)
        if (all[i]) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return all[a]->interaction > all[b]->interaction;
    });
    for (std::size_t place = 0; place < order.size(); ++place)
        all[order[place]]->rank = static_cast<std::int64_t>(place) + 1;
}

}  // namespace

std::vector<std::optional<NormalisedScore>> normalised_scores(const Scores& scores,
                                                              std::size_t ligands) {
    std::vector<std::optional<NormalisedScore>> all(scores.size());
    std::vector<Distribution> of_ligand;
    for (std::size_t l = 0; l < ligands; ++l)
        of_ligand.emplace_back(scores, l, scores.size(), ligands);
    for (std::size_t first = 0; first < scores.size(); first += ligands) {
        const Distribution of_receptor(scores, first, first + ligands, 1);
        for (std::size_t l = 0; l < ligands; ++l) {
            if (!scores[first + l]) continue;
            NormalisedScore score;
            score.receptor_z = of_receptor.z(*scores[first + l]);
            score.ligand_z = of_ligand[l].z(*scores[first + l]);
            score.interaction = (score.receptor_z + score.ligand_z) / 2;
            all[first + l] = score;
        }
        rank_pairs(all, first, first + ligands);
    }
    return all;
}

}  // namespace tessera::docking
