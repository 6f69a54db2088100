// Terms that nearly cancel, and the statistics of a sum's errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace tessera::bench {

/// Terms of one element. They are multiples of one unit, so that their exact sum fits __int128. The
/// last two terms cancel the others except for about a part in 2^bits.
inline std::vector<double> cancelling_terms(int terms, int bits, std::mt19937_64& random,
                                            __int128& exact) {
    constexpr int most_bits = 101;  // for a sum of sixteen
    std::vector<double> all;
    exact = 0;
    const auto add = [&](double term) {
        all.push_back(term);
        exact += static_cast<__int128>(term);
    };
    for (int k = 0; k + 2 < terms; ++k) {
        const auto units = static_cast<std::int64_t>(random() >> 11) - (std::int64_t{1} << 52);
        add(std::ldexp(static_cast<double>(units), static_cast<int>(random() % 48)));
    }
    const auto digits = static_cast<__int128>((random() >> 11) | (std::uint64_t{1} << 52));
    const int shift = most_bits - bits - 53;
    const __int128 rest = shift > 0 ? digits << shift : (digits >> -shift) | 1;
    add(-static_cast<double>(exact - rest));
    add(-static_cast<double>(exact - rest));
    return all;
}

struct ErrorStatistics {
    std::vector<double> errors;
    void add(double found, double exact) { errors.push_back(std::abs(found / exact - 1)); }
    void print() {
        std::sort(errors.begin(), errors.end());
        std::printf(" %14.2e %10.2e", errors[errors.size() / 2], errors.back());
    }
};

}  // namespace tessera::bench
