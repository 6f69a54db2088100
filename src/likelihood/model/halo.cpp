#include "likelihood/model/halo.hpp"

namespace tessera::likelihood {

namespace {

// kpc, of the 2018 model, whose profiles ignore r0
constexpr double core_of_2018 = 12, break_of_2018 = 12, scale_of_2018 = 8.5;

}  // namespace

kernels::Halo halo_of(const StreamModel& model) {
    using kernels::HaloProfile;
    const io::Background& b = model.background;
    const bool general = b.alpha != 1 || b.delta != 1;
    kernels::Halo halo;
    halo.q = b.q;
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
           model.background.profile == io::Profile::hernquist;
}

}  // namespace tessera::likelihood
