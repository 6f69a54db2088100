// Derivatives of the Boys function by the recursion of McMurchie & Davidson (1978), and their sums.
#pragma once

#include <utility>

#include "kokkos_kernels/orbitals/esp/boys_table.hpp"

namespace tessera::kernels {

/// How Q_tuv follows from lower degrees: x_axis * Q[lower] - factor * Q[lowest], both of the next
/// order of the Boys function.
struct HermiteStep {
    int axis = 0, lower = 0, lowest = 0, factor = 0;
};

/// The axis with the least exponent above 0, since the second term vanishes for exponent 1.
constexpr HermiteStep hermite_step(int index) {
    int degree = 0;
    while (hermite_count(degree) <= index) ++degree;
    for (int t = degree; t >= 0; --t)
        for (int u = degree - t; u >= 0; --u) {
            int power[3] = {t, u, degree - t - u};
            if (hermite_index(power[0], power[1], power[2]) != index) continue;
            int axis = -1;
            for (int a = 0; a < 3; ++a)
                if (power[a] > 0 && (axis < 0 || power[a] < power[axis])) axis = a;
            if (axis < 0) return {};
            HermiteStep step{axis, 0, 0, power[axis] - 1};
            --power[axis];
            step.lower = hermite_index(power[0], power[1], power[2]);
            --power[axis];
            if (step.factor > 0) step.lowest = hermite_index(power[0], power[1], power[2]);
            return step;
        }
    return {};
}

/// The steps of all places.
struct HermiteSteps {
    HermiteStep of[hermite_count(highest_hermite)];
};
constexpr HermiteSteps make_hermite_steps() {
    HermiteSteps steps{};
    for (int i = 0; i < hermite_count(highest_hermite); ++i) steps.of[i] = hermite_step(i);
    return steps;
}

/// Q_tuv of all degrees <= L at several points (lanes).
template <int L, int Lanes>
struct HermiteValues {
    static constexpr int count = hermite_count(L);
    double q[count][Lanes];

    /// `x`: sqrt(2 p) (r - P) for each axis and lane.
    KOKKOS_INLINE_FUNCTION void compute(const double* boys, const double (&x)[3][Lanes]) {
        double squares[Lanes], values[L + 1][Lanes];
        for (int i = 0; i < Lanes; ++i)
            squares[i] = 0.5 * (x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i]);
        boys_functions<L, Lanes>(boys, squares, values);
        for (int i = 0; i < Lanes; ++i) q[0][i] = values[L][i];
        raise_all<1>(x, values);
    }

  private:
    /// Goes from order L + 1 - D of the Boys function to the next lower order, where the values
    /// have degrees up to D.
    template <int D>
    KOKKOS_INLINE_FUNCTION void raise_all(const double (&x)[3][Lanes],
                                          const double (&values)[L + 1][Lanes]) {
        if constexpr (D <= L) {
            if constexpr (Lanes == 1)
                unrolled<hermite_count(D)>(x,
                                           std::make_integer_sequence<int, hermite_count(D) - 1>());
            else
                looped(hermite_count(D), x);
            for (int i = 0; i < Lanes; ++i) q[0][i] = values[L - D][i];
            raise_all<D + 1>(x, values);
        }
    }

    // Highest degrees first, so that the lower ones are still of the former order. A device keeps
    // the values in registers, so every place must be a constant. A host takes several points.

    template <int Count, int... I>
    KOKKOS_INLINE_FUNCTION void unrolled(const double (&x)[3][Lanes],
                                         std::integer_sequence<int, I...>) {
        (one<Count - 1 - I>(x), ...);
    }

    template <int Index>
    KOKKOS_INLINE_FUNCTION void one(const double (&x)[3][Lanes]) {
        constexpr HermiteStep step = hermite_step(Index);
        if constexpr (step.factor == 0)
            q[Index][0] = x[step.axis][0] * q[step.lower][0];
        else
            q[Index][0] = x[step.axis][0] * q[step.lower][0] - step.factor * q[step.lowest][0];
    }

    KOKKOS_INLINE_FUNCTION void looped(int size, const double (&x)[3][Lanes]) {
        static constexpr HermiteSteps steps = make_hermite_steps();
        for (int index = size - 1; index > 0; --index) {
            const HermiteStep step = steps.of[index];
            const double factor = step.factor;
            double next[Lanes];  // the compiler cannot see that rows are equal or apart
            for (int i = 0; i < Lanes; ++i)
                next[i] = x[step.axis][i] * q[step.lower][i] - factor * q[step.lowest][i];
            for (int i = 0; i < Lanes; ++i) q[index][i] = next[i];
        }
    }
};

}  // namespace tessera::kernels
