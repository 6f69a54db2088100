// What evaluations and surfaces on one device share.
#pragma once

#include "kokkos_kernels/orbitals/box_passes.hpp"
#include "kokkos_kernels/orbitals/device_buffer.hpp"
#include "kokkos_kernels/orbitals/kernel_clock.hpp"
#include "kokkos_kernels/orbitals/loaded_problem.hpp"

namespace tessera::kernels {

template <class Real, class Device>
struct EvaluatorParts {
    typename Device::execution_space space;
    LoadedProblem<Real, Device> problem;
    Buffer<Real, Device> values;
    BoxPasses<Device> passes;
    KernelClock<Device> clock;

    template <class Shape>
    TileFrame frame(const PointBlock& block) const {
        return {problem.grid,
                block,
                {Shape::box * Shape::x, Shape::box * Shape::y, Shape::box * Shape::z}};
    }
};

}  // namespace tessera::kernels
