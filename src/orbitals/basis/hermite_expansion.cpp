#include "orbitals/basis/hermite_expansion.hpp"

namespace tessera::orbitals {

namespace {

/// E_t^(i+1,j) = E_(t-1)^ij / 2p + offset E_t^ij + (t + 1) E_(t+1)^ij (Helgaker, Jorgensen & Olsen
/// 2000, equations 9.5.6 and 9.5.7). `offset`: P - A, or P - B to raise j. `degree` is i + j.
void raise(const double* from, double* to, int degree, double offset, double half_inverse) {
    for (int t = 0; t <= degree + 1; ++t) {
        double value = 0;
        if (t > 0) value += half_inverse * from[t - 1];
        if (t <= degree) value += offset * from[t];
        if (t + 1 <= degree) value += (t + 1) * from[t + 1];
        to[t] = value;
    }
}

}  // namespace

HermiteExpansion::HermiteExpansion(int left, int right, double distance, double a, double b) {
    const double p = a + b, half_inverse = 0.5 / p;
    const double from_left = -b / p * distance, from_right = a / p * distance;
    values_[0][0] = 1;
    for (int i = 0; i <= left; ++i) {
        if (i > 0) raise(at(i - 1, 0), values_[index(i, 0)].data(), i - 1, from_left, half_inverse);
        for (int j = 1; j <= right; ++j)
            raise(at(i, j - 1), values_[index(i, j)].data(), i + j - 1, from_right, half_inverse);
    }
}

}  // namespace tessera::orbitals
