// GPUs whose blocks have less shared memory than those of the H100: other kernels, the same values.
#include "kokkos_kernels/device/shared_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "backends.hpp"
#include "evaluated_orbitals.hpp"
#include "kokkos_kernels/orbitals/evaluate_fields.hpp"
#include "kokkos_kernels/orbitals/field_evaluator.hpp"
#include "random_orbitals.hpp"

namespace tessera::kernels {
namespace {

using namespace testing;

constexpr int kib = 1024, as_a100 = 163 * kib, as_rtx = 99 * kib;

/// What this GPU has, while it is in scope.
struct SharedLimit {
    explicit SharedLimit(int bytes) { limit_shared_bytes(bytes); }
    ~SharedLimit() { limit_shared_bytes(std::numeric_limits<int>::max()); }
    SharedLimit(const SharedLimit&) = delete;
    SharedLimit& operator=(const SharedLimit&) = delete;
};

template <FieldDerivatives D>
void expect_pages_that_fit() {
    constexpr auto pages = device_field_pages<D>;
    EXPECT_LE((EvaluateFields<DeviceFieldCut<D, pages[0]>>::shared_bytes), 227 * kib);
    EXPECT_LE((EvaluateFields<DeviceFieldCut<D, pages[1]>>::shared_bytes), as_a100);
    EXPECT_LE((EvaluateFields<DeviceFieldCut<D, pages[2]>>::shared_bytes), as_rtx);
}

TEST(SharedMemory, EveryGpuHasAPageOfFieldTables) {
    expect_pages_that_fit<FieldDerivatives::first>();
    expect_pages_that_fit<FieldDerivatives::laplacian>();
    expect_pages_that_fit<FieldDerivatives::hessian>();
}

struct Large {
    static constexpr int shared_bytes = 500 * kib;
};

TEST(SharedMemory, IsLimitedForTestsAndNotOnHosts) {
    const SharedLimit limit(as_rtx);
    EXPECT_LE(shared_bytes_of_gpu(), as_rtx);
    EXPECT_TRUE((fits<Large, OpenMPDevice>()));
#ifdef KOKKOS_ENABLE_CUDA
    EXPECT_FALSE((fits<Large, CudaDevice>()));
#endif
}

#ifdef KOKKOS_ENABLE_CUDA

std::vector<double> values_of(DerivedField field, const OrbitalProblem& problem) {
    const std::vector<double> twice(problem.coefficients.size(), 2.0);
    const auto evaluator = make_field_evaluator(Backend::cuda);
    evaluator->load(problem, {twice, {}});
    std::vector<double> found(static_cast<std::size_t>(whole(problem).size()));
    evaluator->evaluate(whole(problem), std::vector{field}, found.data());
    return found;
}

TEST(SharedMemory, SmallerGpusHaveTheSameFields) {
    OrbitalProblem problem = random_orbitals(
        {.groups = 300, .orbitals = 3, .max_l = 5, .low_exponent = 0.1, .high_exponent = 5}, 17);
    problem.double_precision = true;
    for (const DerivedField field : {DerivedField::tau, DerivedField::laplacian, DerivedField::rdg,
                                     DerivedField::sign_lambda2_density}) {
        const std::vector<double> all = values_of(field, problem);
        for (const int bytes : {as_a100, as_rtx}) {
            const SharedLimit limit(bytes);
            const std::vector<double> less = values_of(field, problem);
            for (std::size_t i = 0; i < all.size(); i += 37)
                EXPECT_NEAR(less[i], all[i], 1e-11 * std::abs(all[i]))
                    << "field " << static_cast<int>(field) << ", " << bytes << " bytes";
        }
    }
}

template <class Real>
std::vector<Real> all_orbitals(const OrbitalProblem& problem) {
    std::vector<int> orbitals(problem.coefficients.size());
    std::iota(orbitals.begin(), orbitals.end(), 0);
    const auto evaluator = make_orbital_evaluator(Backend::cuda);
    evaluator->load(problem);
    return evaluate<Real>(*evaluator, whole(problem), orbitals).values;
}

/// 60 orbitals at once, on a coarse and on a fine grid.
template <class Real>
void expect_same_orbitals(double tolerance) {
    for (const double spacing : {0.2, 0.05}) {
        OrbitalProblem problem =
            random_orbitals({.groups = 150, .orbitals = 60, .coefficient = 1e-3}, 11);
        problem.double_precision = sizeof(Real) == sizeof(double);
        problem.grid.spacing = {spacing, spacing, spacing};
        const std::vector<Real> all = all_orbitals<Real>(problem);
        const Real largest = *std::max_element(all.begin(), all.end());
        for (const int bytes : {as_a100, as_rtx}) {
            const SharedLimit limit(bytes);
            const std::vector<Real> less = all_orbitals<Real>(problem);
            for (std::size_t i = 0; i < all.size(); i += 101)
                ASSERT_NEAR(less[i], all[i], problem.tolerance + tolerance * largest)
                    << "spacing " << spacing << ", " << bytes << " bytes";
        }
    }
}

TEST(SharedMemory, SmallerGpusHaveTheSameOrbitals) {
    expect_same_orbitals<float>(4e-6);
    expect_same_orbitals<double>(1e-12);
}

#endif

}  // namespace
}  // namespace tessera::kernels
