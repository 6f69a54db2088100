// The state of one parameter set while it is refined to the tolerance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "likelihood/compressed/evaluator.hpp"
#include "likelihood/compressed/values.hpp"

namespace tessera::likelihood {

struct CompressedEvaluator::Attempt {
    const StreamModel* model = nullptr;
    kernels::compressed::BackgroundValues background;
    std::vector<StreamValues> streams;
    std::vector<Track> tracks;      ///< [stream]
    std::vector<double> observed;   ///< the distributions of observables
    std::vector<PanelRules> rules;  ///< [component] rules of the walks
    PanelRules star_rules;
    std::vector<BoxWalk> walks;       ///< [component][area]
    std::vector<std::uint8_t> stale;  ///< [component] whether the walks must be made (again)
    std::vector<double> given;  ///< [component] integrals that are not summed over boxes, or NaN
    std::vector<double> uncut;  ///< [component] the same integrals without the cuts
    std::vector<double> quadrature_errors;  ///< [component], and last that of the search likelihood
    int refinements = 0;
    Evaluation result;

    void add_streams(kernels::compressed::Batch& batch) const {
        for (std::size_t s = 0; s < streams.size(); ++s) {
            StreamValues& stream = batch.streams.emplace_back(streams[s]);
            stream.pieces = static_cast<int>(tracks[s].size());
            stream.first_piece = static_cast<int>(batch.tracks.size());
            batch.tracks.insert(batch.tracks.end(), tracks[s].begin(), tracks[s].end());
        }
    }
    std::size_t components() const { return 1 + streams.size(); }
    /// Whether the boxes of a component were too many in one of the areas, so that they were left
    /// out.
    bool has_too_many_boxes(std::size_t component, std::size_t areas) const {
        const auto first = walks.begin() + static_cast<std::ptrdiff_t>(component * areas);
        return std::any_of(first, first + static_cast<std::ptrdiff_t>(areas),
                           [](const BoxWalk& walk) { return walk.too_many; });
    }
};

}  // namespace tessera::likelihood
