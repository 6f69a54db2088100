// CompressedEvaluator::drop_empty_streams(), declared in evaluator.hpp: streams that have no
// integral get weight 0.
#include <algorithm>
#include <cmath>
#include <limits>

#include "likelihood/compressed/attempt.hpp"
#include "likelihood/model/combine.hpp"

namespace tessera::likelihood {

namespace {

/// The model with weight 0 for these streams (1: the first one).
StreamModel without_weights(StreamModel model, const std::vector<int>& streams) {
    for (const int stream : streams)
        model.streams[static_cast<std::size_t>(stream) - 1].epsilon =
            -std::numeric_limits<double>::infinity();
    return model;
}

}  // namespace

bool CompressedEvaluator::drop_empty_streams(Attempt& a) const {
    std::vector<int>& empty = a.result.empty_streams;
    const std::size_t before = empty.size();
    for (std::size_t k = 1; k < a.components(); ++k) {
        const int stream = static_cast<int>(k);
        const bool is_known = std::isnan(a.given[k]) ? !a.has_too_many_boxes(k, areas_.size())
                                                     : !(a.given[k] == 0 && a.uncut[k] == 0);
        const double uncut = a.result.uncut_integrals.empty() ? 0 : a.result.uncut_integrals[k];
        if (!is_known || std::ranges::find(empty, stream) != empty.end() ||
            !is_empty(a.result.stream_integrals[k - 1], uncut))
            continue;
        empty.push_back(stream);
        a.given[k] = 1;  // weight 0 is divided by it
        a.uncut[k] = uncut;
        a.stale[k] = 1;
    }
    if (empty.size() == before) return false;
    std::ranges::sort(empty);
    const StreamModel model = without_weights(*a.model, empty);
    a.background = background_values(model, auxiliary_);
    for (std::size_t s = 0; s < a.streams.size(); ++s)
        a.streams[s] = stream_values(model, s, frame_);
    return true;
}

}  // namespace tessera::likelihood
