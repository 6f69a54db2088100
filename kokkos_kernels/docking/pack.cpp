#include "kokkos_kernels/docking/pack.hpp"

#include "core/error.hpp"
#include "kokkos_kernels/docking/pack_device.hpp"

namespace tessera::kernels {

namespace {

float square(const float* a, const float* b) {
    const float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return dx * dx + dy * dy + dz * dz;
}

float energy_of(const PackEnergy& energy, const RefineAtom& a, const RefineAtom& b, float r2) {
    return energy(r2, static_cast<float>(a.radius) + static_cast<float>(b.radius),
                  static_cast<float>(a.charge) * static_cast<float>(b.charge));
}

const float* position_of(const PackSideChain& side, int rotamer, std::size_t atom) {
    return &side.positions[3 * (rotamer * side.atoms.size() + atom)];
}

void check(const PackPartner& partner) {
    for (const PackSideChain& side : partner.side_chains) {
        const std::size_t rotamers = side.rotamers;
        if (side.rotamers < 1 || side.rotamers > most_rotamers ||
            side.positions.size() != 3 * rotamers * side.atoms.size() ||
            side.own_energies.size() != rotamers)
            throw Error("side chains cannot be repacked",
                        "a side chain has no rotamers, or their number does not fit",
                        "report this as an error of the program");
    }
}

}  // namespace

void add_own_energies(PackPartner& partner, const PackParameters& parameters,
                      const std::vector<std::vector<int>>& near) {
    const PackEnergy energy(parameters);
    const auto count = static_cast<std::ptrdiff_t>(partner.side_chains.size());
#pragma omp parallel for schedule(dynamic, 8)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        PackSideChain& side = partner.side_chains[i];
        for (int r = 0; r < side.rotamers; ++r)
            for (std::size_t a = 0; a < side.atoms.size(); ++a)
                for (const int other : near[i]) {
                    const RefineAtom& atom = partner.atoms[other];
                    const float at[3] = {static_cast<float>(atom.position.x),
                                         static_cast<float>(atom.position.y),
                                         static_cast<float>(atom.position.z)};
                    side.own_energies[r] += energy_of(energy, partner.atoms[side.atoms[a]], atom,
                                                      square(position_of(side, r, a), at));
                }
    }
    const auto pairs = static_cast<std::ptrdiff_t>(partner.pairs.size());
#pragma omp parallel for schedule(dynamic, 8)
    for (std::ptrdiff_t p = 0; p < pairs; ++p) {
        PackPair& pair = partner.pairs[p];
        const PackSideChain &first = partner.side_chains[pair.first],
                            &second = partner.side_chains[pair.second];
        pair.energies.assign(static_cast<std::size_t>(first.rotamers) * second.rotamers, 0);
        for (int r = 0; r < first.rotamers; ++r)
            for (int s = 0; s < second.rotamers; ++s)
                for (std::size_t a = 0; a < first.atoms.size(); ++a)
                    for (std::size_t b = 0; b < second.atoms.size(); ++b)
                        pair.energies[r * second.rotamers + s] += energy_of(
                            energy, partner.atoms[first.atoms[a]], partner.atoms[second.atoms[b]],
                            square(position_of(first, r, a), position_of(second, s, b)));
    }
}

std::unique_ptr<SideChainPacking> make_side_chain_packing(Backend backend,
                                                          const PackPartner& receptor,
                                                          const PackPartner& ligand,
                                                          const PackParameters& parameters) {
    check(receptor);
    check(ligand);
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda)
        return std::make_unique<DevicePacking<CudaDevice>>(receptor, ligand, parameters);
#endif
    (void)backend;
    return std::make_unique<DevicePacking<OpenMPDevice>>(receptor, ligand, parameters);
}

}  // namespace tessera::kernels
