#include "kokkos_kernels/docking/fused_transforms.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.hpp"
#include "kokkos_kernels/docking/fused_transform_kernels.hpp"

namespace tessera::kernels {

#define TESSERA_EACH_FUSED_SIZE(do)                                                                \
    do                                                                                             \
    (48) do(54) do(60) do(64) do(72) do(80) do(90) do(96) do(100) do(108) do(112) do(120) do(      \
        128) do(140) do(144) do(160) do(168) do(180) do(192) do(200) do(216) do(224) do(240)

#define TESSERA_DECLARE(N) TESSERA_FUSED_SIZE(extern, N)
TESSERA_EACH_FUSED_SIZE(TESSERA_DECLARE)
#undef TESSERA_DECLARE

namespace {

/// Calls what(std::integral_constant<int, n>).
template <class What>
bool with_size(int n, const What& what) {
    switch (n) {
#define TESSERA_CASE(N)                                                                            \
    case N: what(std::integral_constant<int, N>()); return true;
        TESSERA_EACH_FUSED_SIZE(TESSERA_CASE)
#undef TESSERA_CASE
        default: return false;
    }
}

}  // namespace

template <class Device>
bool FusedTransforms<Device>::supports(int n) {
    if (!is_host<Device> && shared_bytes_of_gpu() < max_block_shared) return false;
    return with_size(n, [](auto) {});
}

template <class Device>
bool FusedTransforms<Device>::fuses_sum(const ChannelTable& table) const {
    return table.channels == 7 && table.standard();
}

template <class Device>
ReceptorOrder FusedTransforms<Device>::receptor_order(const ChannelTable& table) const {
    const int sets = table.terms <= 1 ? 1 : sets_at_once;
    return {shape_.n, table.channels, fuses_sum(table) ? sum_cut(shape_.n, sets).width : 0};
}

template <class Device>
FusedTransforms<Device>::FusedTransforms(const Space& space, int n) : shape_{n} {
    if (!supports(n))
        throw Error("no fused transform for a grid of " + std::to_string(n) + "^3",
                    "an unsupported size", "report this", ExitCode::internal);
    std::vector<Complex> roots;
    for (int k = 0; k < n; ++k) {
        const double angle = 2 * std::numbers::pi * k / n;
        roots.emplace_back(static_cast<float>(std::cos(angle)),
                           static_cast<float>(std::sin(angle)));
    }
    roots_ = to_device<Complex, Device>(space, "roots_of_unity", roots.data(), roots.size());
}

template <class Device>
void FusedTransforms<Device>::forward(const Space& space, const float* grids, Complex* spectra,
                                      int transforms, int reach) const {
    const FusedLaunch<Device> launch{space, spectra, roots_.data()};
    with_size(shape_.n,
              [&](auto size) { launch.template forward<size()>(grids, transforms, reach); });
}

template <class Device>
void FusedTransforms<Device>::accumulate_x(const Space& space, const Complex* receptor,
                                           const Complex* ligand, Complex* scores,
                                           const ChannelTable& table, int members) const {
    const FusedLaunch<Device> launch{space, scores, roots_.data()};
    with_size(shape_.n, [&](auto size) {
        launch.template accumulate_x<size()>(receptor, ligand, table, members);
    });
}

template <class Device>
void FusedTransforms<Device>::inverse_x(const Space& space, Complex* scores, int transforms) const {
    const FusedLaunch<Device> launch{space, scores, roots_.data()};
    with_size(shape_.n, [&](auto size) { launch.template inverse_x<size()>(transforms); });
}

template <class Device>
void FusedTransforms<Device>::inverse_planes(const Space& space, Complex* scores, float* minima,
                                             int transforms, int sets,
                                             const ScoreLimits& limits) const {
    const FusedLaunch<Device> launch{space, scores, roots_.data()};
    with_size(shape_.n, [&](auto size) {
        launch.template inverse_planes<size()>(minima, transforms, sets, limits);
    });
}

template <class Device>
void FusedTransforms<Device>::sum_and_first_axis(const Space& space,
                                                 const ScoreSpectra<Device>& spectra,
                                                 const ChannelTable& table, int members) const {
    const auto& [receptor, ligand, scores] = spectra;
    if (fuses_sum(table)) {
        accumulate_x(space, receptor.data(), ligand.data(), scores.data(), table, members);
    } else {
        accumulate<Device>(space, spectra, table, members, shape_.frequencies());
        inverse_x(space, scores.data(), members * bases_per_batch * table.sets);
    }
}

template <class Device>
void FusedTransforms<Device>::run(const Space& space, const ScoreSpectra<Device>& spectra,
                                  const View2<float, Device>& minima, const ChannelTable& table,
                                  int members, const ScoreLimits& limits) const {
    sum_and_first_axis(space, spectra, table, members);
    inverse_planes(space, spectra.scores.data(), minima.data(),
                   members * bases_per_batch * table.sets, table.sets, limits);
}

template class FusedTransforms<OpenMPDevice>;
#ifdef KOKKOS_ENABLE_CUDA
template class FusedTransforms<CudaDevice>;
#endif

}  // namespace tessera::kernels
