// Which energy terms the channels of a search belong to, and the weights of the coefficient sets.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels {

/// How channels map to terms and sets. With one set, its weights are folded into the receptor
/// spectra, and there is a single term of weight 1.
struct ChannelTable {
    static constexpr int max_channels = 24;
    int channels = 0;
    int sets = 0;
    int terms = 0;                ///< terms kept apart until the sets' weights are applied
    int term[max_channels] = {};  ///< [channel]
    float weight[max_coefficient_sets][max_terms] = {};  ///< [set][term]

    /// Whether the terms are repulsion, attraction, electrostatics, and then eigen-terms only. The
    /// variants that are compiled for a fixed number of channels assume this order.
    bool standard() const {
        for (int c = 0; terms > 1 && c < channels; ++c)
            if (term[c] != (c < 3 ? c : 3)) return false;
        return true;
    }
};

/// sum += r * conj(l), by four fused multiply-adds.
KOKKOS_INLINE_FUNCTION void add_product(Complex& sum, Complex r, Complex l) {
    float real = sum.real(), imag = sum.imag();
    real += r.real() * l.real();
    real += r.imag() * l.imag();
    imag += r.imag() * l.real();
    imag -= r.real() * l.imag();
    sum = Complex(real, imag);
}

/// The table of a problem. Throws Error if there are too many channels.
inline ChannelTable make_channel_table(const CorrelationProblem& problem) {
    ChannelTable table;
    table.channels = static_cast<int>(problem.channels.size());
    table.sets = static_cast<int>(problem.sets.size());
    if (table.channels > ChannelTable::max_channels)
        throw Error(std::to_string(table.channels) + " energy channels are too many",
                    "at most " + std::to_string(ChannelTable::max_channels) + " are supported",
                    "use fewer --terms");
    table.terms = table.sets == 1 ? 1 : max_terms;
    for (int c = 0; table.sets > 1 && c < table.channels; ++c)
        table.term[c] = problem.channels[c].term;
    for (int s = 0; s < table.sets; ++s)
        for (int t = 0; t < table.terms; ++t)
            table.weight[s][t] = table.sets == 1 ? 1.0F : static_cast<float>(problem.sets[s][t]);
    return table;
}

/// The receptor grid that is transformed. If there is only one set, its weight is applied.
inline std::vector<float> transformed_grid(const CorrelationProblem& problem,
                                           const EnergyChannel& channel) {
    std::vector<float> grid = channel.receptor;
    if (problem.sets.size() == 1)
        for (float& value : grid) value *= static_cast<float>(problem.sets[0][channel.term]);
    return grid;
}

}  // namespace tessera::kernels
