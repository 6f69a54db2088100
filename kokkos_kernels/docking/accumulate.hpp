// The frequency-domain sum over energy channels. There is one product per channel, and one spectrum
// per rotation and coefficient set.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/docking/channel_table.hpp"
#include "kokkos_kernels/docking/device_problem.hpp"
#include "kokkos_kernels/docking/score_spectra.hpp"

namespace tessera::kernels {

/// scores[(member * B + base) * sets + set][k] =
///     sum_c weight(set, c) receptor[member][c][k] * conj(ligand[base][c][k]).
/// A thread takes one frequency. It keeps the ligand values of all B bases in registers (the number
/// of channels is known at compile time) while it walks over the orbit members. Every receptor
/// value read from memory thus serves B rotations. With Channels = 0, the number of channels is
/// arbitrary, and the ligand values are read again for every member.
template <class Device, int Channels, bool OneTerm>
struct AccumulatePerFrequency {
    static constexpr int B = bases_per_batch;
    static constexpr int term_count = OneTerm ? 1 : max_terms;
    Spectra<Device> receptor, ligand, scores;
    ChannelTable table;
    int members;

    KOKKOS_FUNCTION void operator()(std::int64_t k) const {
        if constexpr (Channels > 0) {
            Complex values[B][Channels];
            for (int b = 0; b < B; ++b)
                for (int c = 0; c < Channels; ++c) values[b][c] = ligand(b * Channels + c, k);
            for (int m = 0; m < members; ++m) {
                Complex rec[Channels];
                for (int c = 0; c < Channels; ++c) rec[c] = receptor(m * Channels + c, k);
                for (int b = 0; b < B; ++b) {
                    Complex terms[term_count];
                    for (int c = 0; c < Channels; ++c)
                        add_product(terms[OneTerm ? 0 : (c < 3 ? c : 3)], rec[c], values[b][c]);
                    store(k, (m * B + b) * table.sets, terms);
                }
            }
        } else {
            for (int m = 0; m < members; ++m) {
                Complex terms[B][term_count];
                for (int c = 0; c < table.channels; ++c) {
                    const Complex rec = receptor(m * table.channels + c, k);
                    for (int t = 0; t < term_count;
                         ++t)  // static indices keep the sums in registers
                        if (OneTerm || table.term[c] == t)
                            for (int b = 0; b < B; ++b)
                                add_product(terms[b][t], rec, ligand(b * table.channels + c, k));
                }
                for (int b = 0; b < B; ++b) store(k, (m * B + b) * table.sets, terms[b]);
            }
        }
    }

    KOKKOS_FUNCTION void store(std::int64_t k, int row, const Complex (&terms)[term_count]) const {
        if constexpr (OneTerm) {
            scores(row, k) = terms[0];
        } else {
            for (int s = 0; s < table.sets; ++s) {
                Complex sum;
                for (int t = 0; t < term_count; ++t)
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

/// The same sum for hosts. It takes a block of neighbouring frequencies at a time, so that the
/// inner loops vectorise, and a few channels at a time, so that their sum stays in registers.
template <class Device>
struct AccumulateBlocks {
    static constexpr int B = bases_per_batch;
    static constexpr int block = 512;
    Spectra<Device> receptor, ligand, scores;
    ChannelTable table;
    int members;
    std::int64_t frequencies;

    void operator()(std::int64_t index) const {
        const std::int64_t first = index * block;
        const int width = static_cast<int>(first + block < frequencies ? std::int64_t{block}
                                                                       : frequencies - first);
        for (int m = 0; m < members; ++m)
            for (int b = 0; b < B; ++b) one_rotation(m, b, first, width);
    }

    void one_rotation(int m, int b, std::int64_t first, int width) const {
        float sums[max_terms][2 * block];
        for (int t = 0; t < table.terms; ++t)
            for (int i = 0; i < 2 * width; ++i) sums[t][i] = 0;
        for (int c = 0; c < table.channels;) {
            const float *r[4], *l[4];
            float* const sum = sums[table.term[c]];
            int count = 0;  // of channels of the same term
            for (const int term = table.term[c]; count < 4 && c < table.channels; ++count, ++c) {
                if (table.term[c] != term) break;
                r[count] = reinterpret_cast<const float*>(&receptor(m * table.channels + c, first));
                l[count] = reinterpret_cast<const float*>(&ligand(b * table.channels + c, first));
            }
            switch (count) {
                case 4: add_products<4>(r, l, width, sum); break;
                case 3: add_products<3>(r, l, width, sum); break;
                case 2: add_products<2>(r, l, width, sum); break;
                default: add_products<1>(r, l, width, sum);
            }
        }
        for (int s = 0; s < table.sets; ++s) {
            auto* out = reinterpret_cast<float*>(&scores((m * B + b) * table.sets + s, first));
            for (int i = 0; i < 2 * width; ++i) out[i] = table.weight[s][0] * sums[0][i];
            for (int t = 1; t < table.terms; ++t)
                for (int i = 0; i < 2 * width; ++i) out[i] += table.weight[s][t] * sums[t][i];
        }
    }

    /// Adds the products of some channels, as add_product() does.
    template <int Channels>
    static void add_products(const float* const (&r)[4], const float* const (&l)[4], int width,
                             float* sum) {
#pragma omp simd
        for (int i = 0; i < width; ++i) {
            float real = sum[2 * i], imag = sum[2 * i + 1];
            TESSERA_UNROLL_ALL
            for (int c = 0; c < Channels; ++c) {
                real += r[c][2 * i] * l[c][2 * i];
                real += r[c][2 * i + 1] * l[c][2 * i + 1];
                imag += r[c][2 * i + 1] * l[c][2 * i];
                imag -= r[c][2 * i] * l[c][2 * i + 1];
            }
            sum[2 * i] = real;
            sum[2 * i + 1] = imag;
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

/// Runs the variant that fits the problem.
template <class Device>
void accumulate(const typename Device::execution_space& space, const ScoreSpectra<Device>& spectra,
                const ChannelTable& table, int members, std::int64_t frequencies) {
    const auto& [receptor, ligand, scores] = spectra;
    if constexpr (is_host<Device>) {
        AccumulateBlocks<Device>{receptor, ligand, scores, table, members, frequencies}.launch(
            space);
    } else {
        const auto run = [&](auto variant) { variant.launch(space, frequencies); };
        // Seven channels are PIPER's default, with four eigen-terms.
        const bool seven = table.channels == 7 && table.standard();
        if (seven && table.terms == 1)
            run(AccumulatePerFrequency<Device, 7, true>{receptor, ligand, scores, table, members});
        else if (seven)
            run(AccumulatePerFrequency<Device, 7, false>{receptor, ligand, scores, table, members});
        else if (table.terms == 1)
            run(AccumulatePerFrequency<Device, 0, true>{receptor, ligand, scores, table, members});
        else
            run(AccumulatePerFrequency<Device, 0, false>{receptor, ligand, scores, table, members});
    }
}

}  // namespace tessera::kernels
