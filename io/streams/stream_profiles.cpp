#include "io/streams/stream_profiles.hpp"

#include <algorithm>

namespace tessera::io {

namespace {

constexpr ProfileNumber flattening{"q", &Background::q, "", 0.01, 100, 0.1, 2, true, std::nullopt};

constexpr ProfileNumber kpc(double lower, double upper) {
    return {"r0", &Background::r0, "kpc", 0.01, 1000, lower, upper, true, std::nullopt};
}

constexpr ProfileNumber nfw[] = {
    flattening,
    kpc(1, 100),
    {"alpha", &Background::alpha, "", 0, 3, 0, 2, false, 1},
};
constexpr ProfileNumber einasto[] = {
    flattening,
    kpc(1, 100),
    {"alpha", &Background::alpha, "", 0.05, 10, 0.05, 2, true, std::nullopt},
};
constexpr ProfileNumber continuous_broken_power_law[] = {
    flattening,
    kpc(1, 60),
    {"alpha", &Background::alpha, "", 0, 20, 0.1, 10, true, std::nullopt},
    {"delta", &Background::delta, "", 0, 20, 0.1, 10, true, std::nullopt},
};

constexpr ProfileNumber degrees(std::string_view key, double Background::*value) {
    return {key, value, "degrees", -360, 360, -90, 90, false, 0};
}
constexpr ProfileNumber shape[] = {
    {"p", &Background::p, "", 0.01, 100, 0.1, 2, true, 1},
    degrees("yaw", &Background::yaw),
    degrees("pitch", &Background::pitch),
    degrees("roll", &Background::roll),
};

const ProfileNumber* find(std::span<const ProfileNumber> numbers, std::string_view key) {
    const auto found = std::ranges::find(numbers, key, &ProfileNumber::key);
    return found == numbers.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ProfileNumber> own_numbers(Profile profile) {
    switch (profile) {
        case Profile::nfw: return nfw;
        case Profile::einasto: return einasto;
        case Profile::continuous_broken_power_law: return continuous_broken_power_law;
        default: return {};
    }
}

const ProfileNumber* own_number(Profile profile, std::string_view key) {
    return find(own_numbers(profile), key);
}

std::span<const ProfileNumber> shape_numbers() { return shape; }

const ProfileNumber* listed_number(const Background& background, std::string_view key) {
    const auto* own = own_number(background.profile, key);
    return own == nullptr && background.triaxial ? find(shape, key) : own;
}

bool background_depends_on(const StreamModel& model, std::string_view key) {
    const Profile profile = model.background.profile;
    if (key.starts_with("population")) return true;
    if (find(shape, key) != nullptr) return model.background.triaxial;
    if (!own_numbers(profile).empty()) return own_number(profile, key) != nullptr;
    const bool later = model.model == Model::model2018;
    const bool power_law = profile == Profile::broken_power_law;
    if (key == "epsilon") return later && !power_law;
    if (key == "r0") return !later;
    if (key == "a" || key == "b" || key == "c") return !power_law;
    return true;
}

}  // namespace tessera::io
