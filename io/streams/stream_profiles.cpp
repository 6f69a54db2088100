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

constexpr ProfileNumber share(std::string_view key, double Background::*value, double upper) {
    return {key, value, "", 0, 1e4, 0, upper, true, std::nullopt};
}
constexpr ProfileNumber length(std::string_view key, double Background::*value) {
    return {key, value, "kpc", 0.5, 100, 1, 10, true, std::nullopt};
}
constexpr ProfileNumber height(std::string_view key, double Background::*value, double lower,
                               double upper) {
    return {key, value, "kpc", 0.05, 20, lower, upper, true, std::nullopt};
}
constexpr ProfileNumber thin_disk[] = {
    share("thin", &Background::thin, 1000),
    length("thin_length", &Background::thin_length),
    height("thin_height", &Background::thin_height, 0.1, 1),
};
constexpr ProfileNumber thick_disk[] = {
    share("thick", &Background::thick, 100),
    length("thick_length", &Background::thick_length),
    height("thick_height", &Background::thick_height, 0.3, 3),
};
constexpr NumberGroup groups[] = {
    {&Background::triaxial, shape},
    {&Background::thin_disk, thin_disk},
    {&Background::thick_disk, thick_disk},
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

std::span<const NumberGroup> number_groups() { return groups; }

std::vector<const ProfileNumber*> further_numbers(const Background& background) {
    std::vector<const ProfileNumber*> all;
    for (const NumberGroup& group : groups)
        if (background.*group.given)
            for (const ProfileNumber& number : group.numbers) all.push_back(&number);
    return all;
}

const ProfileNumber* listed_number(const Background& background, std::string_view key) {
    if (const auto* own = own_number(background.profile, key)) return own;
    for (const ProfileNumber* number : further_numbers(background))
        if (number->key == key) return number;
    return nullptr;
}

bool background_depends_on(const StreamModel& model, std::string_view key) {
    const Profile profile = model.background.profile;
    if (key.starts_with("population")) return true;
    for (const NumberGroup& group : groups)
        if (find(group.numbers, key) != nullptr) return model.background.*group.given;
    if (!own_numbers(profile).empty()) return own_number(profile, key) != nullptr;
    const bool later = model.model == Model::model2018;
    const bool power_law = profile == Profile::broken_power_law;
    if (key == "epsilon") return later && !power_law && !model.background.has_disks();
    if (key == "r0") return !later;
    if (key == "a" || key == "b" || key == "c") return !power_law;
    return true;
}

}  // namespace tessera::io
