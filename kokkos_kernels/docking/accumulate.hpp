// The frequency-domain sum over energy channels: one product per channel, one spectrum per rotation
// and coefficient set.
#pragma once

#include "kokkos_kernels/docking/device_problem.hpp"

namespace tessera::kernels {

/// How channels map to terms and sets. With one set the weights are folded into the receptor spectra
/// and there is a single term of weight 1.
struct ChannelTable {
    int channels = 0;
    int sets = 0;
    int terms = 0;           ///< terms kept apart until the sets' weights are applied
    int shape_channels = 1;  ///< 1, or 2 where sets weigh repulsion and attraction differently
    int ligand_grids = 0;
    int term[24] = {};       ///< [channel]
    float weight[max_coefficient_sets][max_terms] = {};  ///< [set][term]

    /// Shape, electrostatics, then eigen-terms and nothing else: what the compiled variants assume.
    bool standard() const {
        for (int c = shape_channels + 1; terms > 1 && c < channels; ++c)
            if (term[c] != max_terms - 1) return false;
        return true;
    }

    /// Ligand grid of a channel: the shape channels share grid 0, the others follow.
    KOKKOS_FUNCTION int ligand_grid(int channel) const {
        return channel < shape_channels ? 0 : channel - shape_channels + 1;
    }
};

/// scores[(member * B + base) * sets + set][k] = sum_c weight(set, c) receptor[member][c][k] *
/// conj(ligand[base][c][k]). A thread takes one frequency: it keeps the ligand values of all B bases
/// in registers (grids known at compile time) while it walks over the orbit members, so that every
/// receptor value read from memory serves B rotations.
template <class Device, int Grids, int Shapes, bool OneTerm>
struct AccumulatePerFrequency {
    static constexpr int B = bases_per_batch;
    Spectra<Device> receptor, ligand, scores;
    ChannelTable table;
    int members;

    KOKKOS_FUNCTION void operator()(std::int64_t k) const {
        Complex values[B][Grids];
        for (int b = 0; b < B; ++b)
            for (int g = 0; g < Grids; ++g) values[b][g] = ligand(b * Grids + g, k);
        constexpr int channels = Grids + Shapes - 1;
        for (int m = 0; m < members; ++m) {
            Complex rec[channels];
            for (int c = 0; c < channels; ++c) rec[c] = receptor(m * channels + c, k);
            for (int b = 0; b < B; ++b) {
                constexpr int term_total = OneTerm ? 1 : Shapes + 2;
                Complex terms[term_total];
                for (int c = 0; c < channels; ++c) {
                    constexpr int pair = Shapes + 1;  // channels from here on are eigen-terms
                    const int term = OneTerm ? 0 : (c < pair ? c : pair);
                    const Complex l = values[b][c < Shapes ? 0 : c - Shapes + 1];
                    terms[term] += Complex(rec[c].real() * l.real() + rec[c].imag() * l.imag(),
                                           rec[c].imag() * l.real() - rec[c].real() * l.imag());
                }
                store(k, (m * B + b) * table.sets, terms);
            }
        }
    }

    template <int Terms>
    KOKKOS_FUNCTION void store(std::int64_t k, int row, const Complex (&terms)[Terms]) const {
        if constexpr (OneTerm) {
            scores(row, k) = terms[0];
        } else {
            for (int s = 0; s < table.sets; ++s) {
                Complex sum;
                for (int t = 0; t < Terms; ++t)
                    sum += Complex(table.weight[s][t] * terms[t].real(),
                                   table.weight[s][t] * terms[t].imag());
                scores(row + s, k) = sum;
            }
        }
    }

    void launch(const typename Device::execution_space& space, std::int64_t frequencies) const {
        Kokkos::parallel_for(
            "tessera::docking::accumulate",
            Kokkos::RangePolicy<typename Device::execution_space, Kokkos::IndexType<std::int64_t>,
                                Kokkos::LaunchBounds<128, 2>>(space, 0, frequencies),
            *this);
    }
};

/// The same sum with everything known at run time only, a block of neighbouring frequencies at a time:
/// for hosts, where the inner loops over a block vectorise, and for other numbers of eigen-terms.
template <class Device>
struct AccumulateBlocks {
    static constexpr int B = bases_per_batch;
    static constexpr int block = is_host<Device> ? 128 : 1;
    Spectra<Device> receptor, ligand, scores;
    ChannelTable table;
    int members;
    std::int64_t frequencies;

    KOKKOS_FUNCTION void operator()(std::int64_t index) const {
        const std::int64_t first = index * block;
        const int width = static_cast<int>(
            first + block < frequencies ? std::int64_t{block} : frequencies - first);
        for (int m = 0; m < members; ++m)
            for (int b = 0; b < B; ++b) one_rotation(m, b, first, width);
    }

    KOKKOS_FUNCTION void one_rotation(int m, int b, std::int64_t first, int width) const {
        float sums[max_terms][2 * block];
        for (int t = 0; t < table.terms; ++t)
            for (int i = 0; i < 2 * width; ++i) sums[t][i] = 0;
        for (int c = 0; c < table.channels; ++c) {
            const float* r =
                reinterpret_cast<const float*>(&receptor(m * table.channels + c, first));
            const float* l = reinterpret_cast<const float*>(
                &ligand(b * table.ligand_grids + table.ligand_grid(c), first));
            float* sum = sums[table.term[c]];
            for (int i = 0; i < width; ++i) {
                sum[2 * i] += r[2 * i] * l[2 * i] + r[2 * i + 1] * l[2 * i + 1];
                sum[2 * i + 1] += r[2 * i + 1] * l[2 * i] - r[2 * i] * l[2 * i + 1];
            }
        }
        for (int s = 0; s < table.sets; ++s) {
            float* out = reinterpret_cast<float*>(&scores((m * B + b) * table.sets + s, first));
            for (int i = 0; i < 2 * width; ++i) out[i] = table.weight[s][0] * sums[0][i];
            for (int t = 1; t < table.terms; ++t)
                for (int i = 0; i < 2 * width; ++i) out[i] += table.weight[s][t] * sums[t][i];
        }
    }

    void launch(const typename Device::execution_space& space) const {
        Kokkos::parallel_for(
            "tessera::docking::accumulate",
            Kokkos::RangePolicy<typename Device::execution_space, Kokkos::IndexType<std::int64_t>>(
                space, 0, (frequencies + block - 1) / block),
            *this);
    }
};

/// Runs the variant made for the problem at hand.
template <class Device>
void accumulate(const typename Device::execution_space& space, const Spectra<Device>& receptor,
                const Spectra<Device>& ligand, const Spectra<Device>& scores,
                const ChannelTable& table, int members, std::int64_t frequencies) {
    if constexpr (!is_host<Device>) {
        // PIPER's default of four eigen-terms: six ligand grids.
        if (table.ligand_grids == 6 && table.shape_channels == 1)
            return AccumulatePerFrequency<Device, 6, 1, true>{receptor, ligand, scores, table, members}
                .launch(space, frequencies);
        if (table.ligand_grids == 6 && table.shape_channels == 2 && table.standard())
            return AccumulatePerFrequency<Device, 6, 2, false>{receptor, ligand, scores, table,
                                                               members}
                .launch(space, frequencies);
    }
    AccumulateBlocks<Device>{receptor, ligand, scores, table, members, frequencies}.launch(space);
}

}  // namespace tessera::kernels
