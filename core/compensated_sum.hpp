// Neumaier's compensated sum: a value and the rounding error that it has lost.
#pragma once

namespace tessera {

/// A sum whose error stays near one rounding while the number of terms is far below 1/epsilon^2
/// (double) or 1/epsilon (float), Neumaier 1974. Tiles that are added in tile order give the same
/// bits anywhere. Must not be compiled with -ffast-math.
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
