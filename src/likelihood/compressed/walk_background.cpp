// The walk of the background: walk_background(), declared in walk.hpp.
#include <algorithm>

#include "likelihood/compressed/box.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

constexpr double disk_length_r = 3.5, disk_length_z = 0.7;  // kpc, of the fixed disk
constexpr double disk_begins = 3;  // e-folds of the disk between the plane and where wedges begin
/// Weight of the width of boxes that a jump or a kink crosses. They are cut before all others, the
/// widest first.
constexpr double crossed = 1e9;

/// The halo, with the flattened radius as its only coordinate.
kernels::Halo halo_of(const BackgroundValues& b) {
    kernels::Halo halo;
    halo.profile = b.profile;
    halo.core = b.r0;
    halo.scale = std::exp(b.log_scale);
    halo.inner = b.alpha;
    const bool power_law = b.profile == kernels::HaloProfile::broken_power_law;
    halo.outer = power_law ? b.delta : 3 - b.alpha + b.delta;
    return halo;
}

/// Cuts boxes until they resolve the places where the background is not smooth: the Galactic
/// centre, the axis and the plane of the Galaxy (disk), and the break of the power law.
class BackgroundWalk {
  public:
    BackgroundWalk(const CompressedArea& area, const std::array<Vec3, 3>& frame,
                   const BackgroundValues& background, const PanelRules& rules, bool disk)
        : area_(area),
          frame_(frame),
          background_(background),
          rules_(rules),
          broken_(background.profile == kernels::HaloProfile::broken_power_law),
          break_(background.r0) {
        if (disk) disks_.push_back({disk_length_r, disk_length_z});
        for (const kernels::ExponentialDisk& own : background.disks)
            if (own.unit != 0)
                disks_.push_back(
                    {1 / own.in_plane, 1 / own.across, std::max(own.unit, own.factor)});
    }

    BoxWalk walk() {
        visit({});
        return std::move(result_);
    }

  private:
    struct DiskShape {
        double length, height;  ///< kpc
        double factor = 0;      ///< of its density; 0: not known
    };

    /// Width of the box along each axis over the allowed width.
    using Excess = std::array<double, box_axes>;

    /// Accounts for a singularity of the density at `distance` from the centre of the box, off the
    /// real axis.
    void clear_of(double distance, const double* half, Excess& excess) const {
        const double all = half[0] + half[1] + half[2];
        for (std::size_t axis = 0; axis < box_axes; ++axis)
            excess[axis] = std::max(excess[axis], (all + (rules_.clearance - 1) * half[axis]) /
                                                      (distance + 1e-300));
    }

    double flattened_length(Vec3 v) const {
        const double q = background_.q;
        if (!background_.triaxial) return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z / (q * q));
        double squares = 0;
        for (const double* row = background_.to_axes; row < background_.to_axes + 9; row += 3)
            squares += std::pow(row[0] * v.x + row[1] * v.y + row[2] * v.z, 2);
        return std::sqrt(squares);
    }

    Excess excess_of(const PanelBox& box) const {
        const BoxFrame at(area_, frame_, box);
        Excess excess{};
        const Vec3 centre = at.middle * at.centre - Vec3{sun_r0, 0, 0};
        double half[box_axes];
        const auto flattened = [this](Vec3 v) { return flattened_length(v); };
        at.extents(flattened, half);
        half[along_radius] = at.steep(flattened(at.centre));
        clear_of(flattened(centre), half, excess);
        for (const DiskShape& disk : disks_) clear_of_disk(disk, at, centre, excess);
        if (broken_) clear_of_break(flattened(centre), half, excess);
        return excess;
    }

    /// The e-folds by which a disk has faded where it is thickest in a box: since the beginning of
    /// the wedge, or below the halo if its density in units of the halo's is known.
    double faded(const DiskShape& disk, const BoxFrame& at, Vec3 centre, double reach) const {
        const double height = std::abs(centre.z) - reach;
        if (disk.factor == 0) return height / disk.height - disk_begins;
        double across[box_axes];
        const auto flattened = [this](Vec3 v) { return flattened_length(v); };
        at.extents(flattened, across);
        const double rg = flattened(centre) + across[0] + across[1] + across[2];
        at.extents([](Vec3 v) { return std::hypot(v.x, v.y); }, across);
        const double out = std::hypot(centre.x, centre.y) - across[0] - across[1] - across[2];
        return std::max(height, 0.0) / disk.height + std::max(out, 0.0) / disk.length +
               std::log(halo_density(halo_, rg) / disk.factor);
    }

    void clear_of_disk(const DiskShape& disk, const BoxFrame& at, Vec3 centre,
                       Excess& excess) const {
        double height[box_axes], out[box_axes];
        const auto outwards = [](Vec3 v) { return std::hypot(v.x, v.y); };
        at.extents([](Vec3 v) { return std::abs(v.z); }, height);
        const double reach = height[0] + height[1] + height[2];
        const double folds = faded(disk, at, centre, reach);
        if (folds > rules_.negligible) return;
        const double steepest =
            rules_.steepest * (1 + std::max(folds, 0.0) / kernels::compressed::panel_size);
        at.extents(outwards, out);
        out[along_radius] = at.steep(outwards(at.centre));
        height[along_radius] = at.steep(std::abs(at.centre.z));
        clear_of(outwards(centre), out, excess);
        for (std::size_t axis = 0; axis < box_axes; ++axis)
            excess[axis] = std::max(
                excess[axis], (height[axis] / disk.height + out[axis] / disk.length) / steepest);
        // |Z| has a kink on lines of sight with b = 0. It lies between lines, never along one.
        if (std::abs(at.centre.z) <= at.mu_half + at.nu_half) {
            excess[along_mu] = std::max(excess[along_mu], 2 + crossed * at.mu_half);
            excess[along_nu] = std::max(excess[along_nu], 2 + crossed * at.nu_half);
        }
    }

    void clear_of_break(double distance, const double* half, Excess& excess) const {
        const double all = half[0] + half[1] + half[2];
        if (std::abs(distance - break_) > all * (1 + 1e-9)) return;
        for (std::size_t axis = 0; axis < box_axes; ++axis)
            excess[axis] = std::max(excess[axis], 2 + crossed * half[axis]);
    }

    void visit(const PanelBox& box) {
        if (result_.too_many || box.empty(area_)) return;
        const Excess excess = excess_of(box);
        int worst = -1;
        for (int axis = 0; axis < box_axes; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            if (excess[a] > 1 && !box.exact(area_, axis) &&
                (worst < 0 || excess[a] > excess[static_cast<std::size_t>(worst)]))
                worst = axis;
        }
        if (worst < 0) {
            result_.boxes.push_back({0, 0, 0, box.panel[0], box.panel[1], box.panel[2]});
            result_.too_many = result_.boxes.size() > most_boxes;
            return;
        }
        visit(box.child(worst, 0));
        visit(box.child(worst, 1));
    }

    const CompressedArea& area_;
    const std::array<Vec3, 3>& frame_;
    const BackgroundValues& background_;
    PanelRules rules_;
    const kernels::Halo halo_ = halo_of(background_);
    std::vector<DiskShape> disks_;
    bool broken_;
    double break_;  ///< radius where the density jumps or has a kink, kpc
    BoxWalk result_;
};

}  // namespace

BoxWalk walk_background(const CompressedArea& area, const std::array<Vec3, 3>& frame,
                        const BackgroundValues& background, const PanelRules& rules, bool disk) {
    return BackgroundWalk(area, frame, background, rules, disk).walk();
}

}  // namespace tessera::likelihood
