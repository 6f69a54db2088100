#include "likelihood/model/halo.hpp"

#include <cmath>

#include "core/units.hpp"

namespace tessera::likelihood {

namespace {

// kpc, of the 2018 model, whose profiles ignore r0
constexpr double core_of_2018 = 12, break_of_2018 = 12, scale_of_2018 = 8.5;

void set_axes(const io::Background& b, kernels::Halo& halo) {
    halo.triaxial = true;
    halo.p = b.p;
    halo.to_axes = halo_axes(b);
    for (double& x : halo.to_axes[1]) x /= b.p;
    for (double& x : halo.to_axes[2]) x /= b.q;
}

}  // namespace

Matrix3 halo_axes(const io::Background& b) {
    const double cy = std::cos(b.yaw * units::degree), sy = std::sin(b.yaw * units::degree);
    const double cp = std::cos(b.pitch * units::degree), sp = std::sin(b.pitch * units::degree);
    const double cr = std::cos(b.roll * units::degree), sr = std::sin(b.roll * units::degree);
    return {{{cy * cp, sy * cp, -sp},
             {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
             {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}}};
}

std::array<Vec3, 3> turning_axes(const io::Background& b) {
    const double cr = std::cos(b.roll * units::degree), sr = std::sin(b.roll * units::degree);
    return {halo_axes(b) * Vec3{0, 0, 1}, Vec3{0, cr, -sr}, Vec3{1, 0, 0}};
}

kernels::Halo halo_of(const StreamModel& model) {
    using kernels::HaloProfile;
    const io::Background& b = model.background;
    const bool general = b.alpha != 1 || b.delta != 1;
    kernels::Halo halo;
    halo.q = b.q;
    if (b.triaxial) set_axes(b, halo);
    halo.core = b.r0;
    halo.inner = b.alpha;
    halo.outer = b.delta;
    switch (b.profile) {
        case io::Profile::hernquist:
            halo.profile = general ? HaloProfile::hernquist_general : HaloProfile::hernquist;
            halo.core = model.model == io::Model::classic ? b.r0 : core_of_2018;
            halo.outer = 3 - b.alpha + b.delta;
            break;
        case io::Profile::nfw:
            halo.profile = HaloProfile::hernquist_general;
            halo.outer = 3 - b.alpha;
            break;
        case io::Profile::einasto: halo.profile = HaloProfile::einasto; break;
        case io::Profile::broken_power_law:
            halo.profile = HaloProfile::broken_power_law;
            halo.core = break_of_2018;
            halo.scale = scale_of_2018;
            break;
        case io::Profile::continuous_broken_power_law:
            halo.profile = HaloProfile::broken_power_law;
            halo.scale = b.r0;
            break;
    }
    return halo;
}

bool has_disk(const StreamModel& model) {
    return model.model == io::Model::model2018 &&
           model.background.profile == io::Profile::hernquist && !model.background.has_disks();
}

}  // namespace tessera::likelihood
