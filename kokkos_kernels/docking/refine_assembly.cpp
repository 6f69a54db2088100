#include "kokkos_kernels/docking/refine_assembly.hpp"

#include "core/error.hpp"
#include "kokkos_kernels/docking/assembly_pose.hpp"
#include "kokkos_kernels/docking/refine_device.hpp"

namespace tessera::kernels {

namespace {

Vec3 vector_of(const double* v) { return {v[0], v[1], v[2]}; }

/// The row-major matrix m, or its transpose, times v.
Vec3 product(const double* m, Vec3 v) {
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
            m[6] * v.x + m[7] * v.y + m[8] * v.z};
}
Vec3 transposed_product(const double* m, Vec3 v) {
    return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z};
}
Vec3 transposed_product(const Matrix3& m, Vec3 v) {
    return {m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
            m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
            m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
}

/// An assembly on its way to a minimum. Coordinates of the minimiser: the shift s of the receptor's
/// copy between axes that stay, and its rotation vector v, which turns it by Q(v) about its centre
/// c. In the receptor's frame the axes u, w through o are then Q^T u and Q^T w through
/// c - Q^T (c + s - o).
class MovingAssembly {
  public:
    MovingAssembly(const Assembly& start, const Ring& ring, double arm, double shift, double turn)
        : start_(axes_of(start, ring)), ring_(ring), arm_(arm) {
        minimiser_.begin(shift, turn * arm);
    }

    bool is_done() const { return minimiser_.done; }
    double start_energy() const { return start_energy_; }
    double energy() const { return minimiser_.best_energy; }

    Assembly trial() const { return assembly_at(minimiser_.trial); }
    Assembly best() const { return assembly_at(minimiser_.best); }

    /// Takes the forces on the poses of counted_poses(trial()).
    void advance(const std::vector<CountedPose>& poses, const PoseForces* forces, bool first) {
        const RotationVector turn = turn_at(minimiser_.trial);
        const Vec3 from_center = ring_.center - axes_at(minimiser_.trial).center;
        double energy = 0;
        Vec3 shift_gradient, turn_gradient;
        for (std::size_t k = 0; k < poses.size(); ++k) {
            const Matrix3 r = poses[k].pose.rotation.matrix();
            const Vec3 f = forces[k].shift_gradient, torque = forces[k].turn_gradient;
            energy += poses[k].count * forces[k].energy;
            // In the receptor's frame, with y = from_center: if the receptor's copy is shifted by s
            // and turned by a, dt = (R - 1) s - a x (R - 1) y and dR = ((R - 1) a) x R.
            const Vec3 arm = r * from_center - from_center;
            shift_gradient = shift_gradient + poses[k].count * (transposed_product(r, f) - f);
            turn_gradient = turn_gradient + poses[k].count * (transposed_product(r, torque) -
                                                              torque - cross(arm, f));
        }
        const Vec3 shift = product(turn.rotation, shift_gradient);
        const Vec3 rotation =
            transposed_product(turn.jacobian, product(turn.rotation, turn_gradient));
        const double gradient[6] = {shift.x,           shift.y,           shift.z,
                                    rotation.x / arm_, rotation.y / arm_, rotation.z / arm_};
        if (first) start_energy_ = energy;
        minimiser_.advance(energy, gradient);
    }

  private:
    RotationVector turn_at(const double* coordinates) const {
        const double v[3] = {coordinates[3] / arm_, coordinates[4] / arm_, coordinates[5] / arm_};
        return RotationVector(v);
    }

    AssemblyAxes axes_at(const double* coordinates) const {
        const RotationVector turn = turn_at(coordinates);
        const Vec3 from_center = ring_.center + vector_of(coordinates) - start_.center;
        return {transposed_product(turn.rotation, start_.ring),
                transposed_product(turn.rotation, start_.two_fold),
                ring_.center - transposed_product(turn.rotation, from_center)};
    }

    Assembly assembly_at(const double* coordinates) const {
        return assembly_of(axes_at(coordinates), ring_);
    }

    AssemblyAxes start_;
    Ring ring_;
    double arm_, start_energy_ = 0;
    RigidMinimiser minimiser_{};
};

/// The poses of several assemblies one after another.
struct PosesOfAssemblies {
    std::vector<RigidPose> poses;
    std::vector<std::vector<CountedPose>> counted;  ///< [assembly][kind of pair]

    void add(const Assembly& assembly, const Ring& ring) {
        counted.push_back(counted_poses(assembly.next, &assembly.opposite, ring));
        for (const CountedPose& pose : counted.back()) poses.push_back(pose.pose);
    }
};

/// The minimisers run on the host, all assemblies step by step, and the device sums the forces of
/// all their poses in one launch.
template <class Device>
class AssemblyRefinement final : public Refinement<Device> {
  public:
    explicit AssemblyRefinement(const RefineProblem& problem)
        : Refinement<Device>(problem), ring_(problem.ring) {}

    std::vector<RefinedPose> refine(std::span<const RigidPose> poses) override {
        // A turn of a copy between its axes moves its neighbours about twice as far.
        const auto& kernel = this->kernel_;
        std::vector<MovingAssembly> moving;
        for (std::size_t i = 0; i + 1 < poses.size(); i += 2)
            moving.emplace_back(Assembly{poses[i], poses[i + 1]}, ring_, 2 * kernel.ligand.arm,
                                kernel.largest_shift, kernel.largest_turn / 2);
        for (int i = 0; i < kernel.evaluations; ++i)
            if (!advance(moving, i == 0)) break;
        return results(moving);
    }

  private:
    /// Returns whether any assembly still moves.
    bool advance(std::vector<MovingAssembly>& moving, bool first) {
        PosesOfAssemblies all;
        std::vector<MovingAssembly*> active;
        for (MovingAssembly& one : moving) {
            if (one.is_done()) continue;
            active.push_back(&one);
            all.add(one.trial(), ring_);
        }
        const auto forces = this->forces(all.poses);
        const PoseForces* own = forces.data();
        for (std::size_t i = 0; i < active.size(); ++i) {
            active[i]->advance(all.counted[i], own, first);
            own += all.counted[i].size();
        }
        return !active.empty();
    }

    std::vector<RefinedPose> results(const std::vector<MovingAssembly>& moved) {
        PosesOfAssemblies all;
        std::vector<RefinedPose> refined;
        for (const MovingAssembly& one : moved) {
            const Assembly best = one.best();
            all.add(best, ring_);
            refined.push_back({best.next, one.start_energy(), one.energy(), {}});
            refined.push_back({best.opposite, 0, 0, {}});
        }
        RefineKernel<Device> still = this->kernel_;
        still.evaluations = 1;
        const auto table = this->launch("tessera::docking::assembly_terms", still, all.poses);
        const double* row = table.data();
        for (std::size_t i = 0; i < moved.size(); ++i)
            for (const CountedPose& pose : all.counted[i]) {
                for (int t = 0; t < refine_term_count; ++t)
                    refined[2 * i].terms[t] += pose.count * row[9 + t];
                row += refine_result_columns;
            }
        return refined;
    }

    Ring ring_;
};

}  // namespace

std::unique_ptr<PoseRefinement> make_assembly_refinement(Backend backend,
                                                         const RefineProblem& problem) {
    if (!problem.ring.is_set())
        throw Error("assemblies cannot be refined", "the problem has no ring", "give its copies");
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) return std::make_unique<AssemblyRefinement<CudaDevice>>(problem);
#endif
    (void)backend;
    return std::make_unique<AssemblyRefinement<OpenMPDevice>>(problem);
}

}  // namespace tessera::kernels
