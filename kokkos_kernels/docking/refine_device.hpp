// The refinement of poses on one kind of device.
#pragma once

#include <algorithm>
#include <cmath>

#include "kokkos_kernels/docking/refine.hpp"
#include "kokkos_kernels/docking/refine_kernel.hpp"

namespace tessera::kernels {

inline double cutoff_of(const RefineProblem& problem) {
    const RefineParameters& p = problem.parameters;
    double radius = 0;
    for (const auto* atoms : {&problem.receptor, &problem.ligand}) {
        double largest = 0;
        for (const RefineAtom& atom : *atoms) largest = std::max(largest, atom.radius);
        radius += largest;
    }
    return std::max({p.contact_end, p.pair_end, p.outer_end, p.clash_scale * radius});
}

template <class Device, class Restraints = NoRestraints>
class Refinement : public PoseRefinement {
    using Space = typename Device::execution_space;

  public:
    explicit Refinement(const RefineProblem& problem)
        : kernel_{.receptor =
                      make_refine_receptor<Device>(space_, problem.receptor, cutoff_of(problem)),
                  .ligand = make_ligand(problem.ligand),
                  .energies = upload_energies(problem),
                  .forms = PairForms<float>(problem.parameters),
                  .poses = {},
                  .results = {},
                  .types = problem.types,
                  .evaluations = std::max(problem.parameters.evaluations, 1),
                  .largest_shift = problem.parameters.largest_shift,
                  .largest_turn = problem.parameters.largest_turn,
                  .covered = problem.parameters.covered} {
        if constexpr (Restraints::present)
            kernel_.restraints = make_device_restraints<Device>(problem, kernel_.receptor.center);
    }

    std::vector<RefinedPose> refine(std::span<const RigidPose> poses) override {
        const auto table = launch("tessera::docking::refine", kernel_, poses);
        std::vector<RefinedPose> refined;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const double* row = &table[i * refine_result_columns];
            RefinedPose pose;
            pose.pose = {{row[0], row[1], row[2], row[3]}, {row[4], row[5], row[6]}};
            pose.start_energy = row[7];
            pose.energy = row[8];
            std::copy(row + 9, row + refine_result_columns, pose.terms.begin());
            refined.push_back(pose);
        }
        return refined;
    }

    std::vector<PoseForces> forces(std::span<const RigidPose> poses) override {
        const auto table = launch("tessera::docking::pose_forces",
                                  ForceKernel<Device, Restraints>{kernel_}, poses);
        std::vector<PoseForces> forces;
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const double* row = &table[i * refine_result_columns];
            forces.push_back({row[0], {row[1], row[2], row[3]}, {row[4], row[5], row[6]}});
        }
        return forces;
    }

  protected:
    RefineLigand<Device> make_ligand(const std::vector<RefineAtom>& atoms) {
        RefineLigand<Device> ligand;
        const std::size_t size = atoms.size();
        ligand.positions = View2<double, Device>("refine_ligand", size, 3);
        ligand.fields = View2<float, Device>("refine_ligand_fields", size, 3);
        ligand.types = View1<int, Device>("refine_ligand_types", size);
        const auto positions = Kokkos::create_mirror_view(ligand.positions);
        const auto fields = Kokkos::create_mirror_view(ligand.fields);
        const auto types = Kokkos::create_mirror_view(ligand.types);
        double spread = 0;
        for (std::size_t a = 0; a < size; ++a) {
            const RefineAtom& atom = atoms[a];
            positions(a, 0) = atom.position.x;
            positions(a, 1) = atom.position.y;
            positions(a, 2) = atom.position.z;
            fields(a, 0) = static_cast<float>(atom.radius);
            fields(a, 1) = static_cast<float>(atom.charge);
            fields(a, 2) = atom.on_surface ? 0.0F : 1.0F;
            types(a) = atom.type;
            spread += dot(atom.position, atom.position);
        }
        Kokkos::deep_copy(ligand.positions, positions);
        Kokkos::deep_copy(ligand.fields, fields);
        Kokkos::deep_copy(ligand.types, types);
        ligand.arm = std::max(1.0, std::sqrt(spread / static_cast<double>(size)));
        return ligand;
    }

    View1<float, Device> upload_energies(const RefineProblem& problem) {
        const std::vector<float> values(problem.pair_energies.begin(), problem.pair_energies.end());
        return to_device<float, Device>(space_, "refine_energies", values.data(), values.size());
    }

    /// Returns one row of results per pose.
    template <class Kernel>
    std::vector<double> launch(const char* label, Kernel kernel, std::span<const RigidPose> poses) {
        if (poses.empty()) return {};
        std::vector<double> rows;
        for (const RigidPose& p : poses)
            rows.insert(rows.end(), {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z,
                                     p.translation.x, p.translation.y, p.translation.z});
        const auto flat =
            to_device<double, Device>(space_, "refine_poses", rows.data(), rows.size());
        kernel.poses = View2<double, Device>("refine_starts", poses.size(), 7);
        kernel.results =
            View2<double, Device>("refine_results", poses.size(), refine_result_columns);
        Kokkos::deep_copy(space_, View1<double, Device>(kernel.poses.data(), rows.size()), flat);
        launch_blocks(label, space_, static_cast<int>(poses.size()), kernel);
        space_.fence("tessera::docking: poses refined");
        const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.results);
        return {host.data(), host.data() + host.size()};
    }

    Space space_;
    RefineKernel<Device, Restraints> kernel_;
};

}  // namespace tessera::kernels
