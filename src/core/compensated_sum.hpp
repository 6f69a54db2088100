// Neumaier's compensated sum: the value and what rounding took from it.
#pragma once

namespace tessera {

/// Sum with error of about 2 ulp independent of the number of terms (Neumaier 1974). Partial sums
/// merge exactly as they were, so that tiles added in tile order give the same bits anywhere.
/// Must not be compiled with -ffast-math.
template <class Real = double>
struct CompensatedSum {
    Real value = 0;
    Real compensation = 0;

    constexpr void add(Real term) {
        const Real sum = value + term;
        const Real abs_value = value < 0 ? -value : value;
        const Real abs_term = term < 0 ? -term : term;
        compensation += abs_value >= abs_term ? (value - sum) + term : (term - sum) + value;
        value = sum;
    }

    constexpr void add(const CompensatedSum& other) {
        add(other.value);
        compensation += other.compensation;
    }

    constexpr Real result() const { return value + compensation; }
};

}  // namespace tessera
