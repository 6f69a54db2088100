#include "likelihood/fit/fit_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/hdf5/result_values.hpp"

namespace tessera::likelihood {

namespace {

std::string name_of(EndKind kind) {
    return kind == EndKind::found ? "found" : kind == EndKind::at_bound ? "at bound" : "not found";
}

ProfileIntervals intervals_of(const Profile& profile, const StreamSpace& space) {
    const FreeParameter& free = space.free()[profile.parameter];
    ProfileIntervals found;
    found.parameter = profile.parameter;
    for (std::size_t level = 0; level < profile_levels.size(); ++level) {
        found.lower[level] = free.lower + free.width() * profile.lower[level].coordinate;
        found.upper[level] = free.lower + free.width() * profile.upper[level].coordinate;
        found.lower_ends[level] = name_of(profile.lower[level].kind);
        found.upper_ends[level] = name_of(profile.upper[level].kind);
    }
    for (const ProfilePoint& point : profile.points) {
        auto values = space.values(point.at);
        found.points.push_back({values[profile.parameter], point.drop, std::move(values)});
    }
    return found;
}

BootstrapErrors bootstrap_of(const FitCourse& course, const StreamSpace& space, double unit) {
    BootstrapErrors found;
    const std::size_t n = space.dimension();
    std::vector<std::vector<double>> columns(n);
    for (const Refit& refit : course.refits) {
        const bool fitted = refit.value > rejected;
        found.likelihood.push_back(refit.value);
        found.gain.push_back(fitted ? unit * (refit.value - refit.model_value)
                                    : std::numeric_limits<double>::quiet_NaN());
        found.converged.push_back(fitted && refit.converged ? 1 : 0);
        const auto values = space.values(refit.at);
        for (std::size_t i = 0; i < n; ++i) {
            found.parameters.push_back(fitted ? values[i]
                                              : std::numeric_limits<double>::quiet_NaN());
            if (fitted) columns[i].push_back(values[i]);
        }
    }
    for (auto& column : columns) found.summaries.push_back(summary_of(std::move(column)));
    return found;
}

void write_profiles(io::h5::Group& fit, const FitErrors& errors) {
    const auto count = static_cast<std::uint64_t>(errors.profiles.size());
    io::h5::Group group = fit.group("profile");
    std::vector<std::int32_t> parameters, owners;
    std::vector<double> lower, upper, values, drops, points;
    std::vector<std::string> lower_ends, upper_ends;
    for (const ProfileIntervals& one : errors.profiles) {
        parameters.push_back(static_cast<std::int32_t>(one.parameter));
        lower.insert(lower.end(), one.lower.begin(), one.lower.end());
        upper.insert(upper.end(), one.upper.begin(), one.upper.end());
        lower_ends.insert(lower_ends.end(), one.lower_ends.begin(), one.lower_ends.end());
        upper_ends.insert(upper_ends.end(), one.upper_ends.begin(), one.upper_ends.end());
        for (const auto& row : one.points) {
            owners.push_back(static_cast<std::int32_t>(one.parameter));
            values.push_back(row.value);
            drops.push_back(row.drop);
            points.insert(points.end(), row.parameters.begin(), row.parameters.end());
        }
    }
    constexpr std::uint64_t levels = profile_levels.size();
    group.write_attribute("log_likelihood_drops",
                          std::vector<double>(profile_levels.begin(), profile_levels.end()));
    group.write("parameter", parameters);
    group.write("lower", lower, {count, levels});
    group.write("upper", upper, {count, levels});
    group.write_strings("lower_ends", lower_ends, {count, levels});
    group.write_strings("upper_ends", upper_ends, {count, levels});
    io::h5::Group curve = group.group("points");
    const auto rows = static_cast<std::uint64_t>(owners.size());
    curve.write("parameter", owners);
    curve.write("value", values);
    curve.write("drop", drops);
    curve.write("parameters", points, {rows, points.size() / std::max<std::uint64_t>(rows, 1)});
}

std::vector<ProfileIntervals> read_profiles(const io::h5::Group& group, std::uint64_t n) {
    constexpr std::uint64_t levels = profile_levels.size();
    const std::uint64_t count = io::length_of(group, "parameter");
    const auto last = static_cast<std::int32_t>(n) - 1;
    const auto parameters = io::read_within<std::int32_t>(group, "parameter", {count}, 0, last);
    const auto lower = io::read_finite(group, "lower", {count, levels});
    const auto upper = io::read_finite(group, "upper", {count, levels});
    const auto lower_ends = io::read_shaped_texts(group, "lower_ends", {count, levels});
    const auto upper_ends = io::read_shaped_texts(group, "upper_ends", {count, levels});
    std::vector<ProfileIntervals> found(count);
    for (std::size_t p = 0; p < count; ++p) {
        found[p].parameter = static_cast<std::size_t>(parameters[p]);
        for (std::size_t level = 0; level < levels; ++level) {
            const std::size_t at = p * levels + level;
            found[p].lower[level] = lower[at];
            found[p].upper[level] = upper[at];
            found[p].lower_ends[level] = lower_ends[at];
            found[p].upper_ends[level] = upper_ends[at];
        }
    }
    const io::h5::Group curve = group.open_group("points");
    const std::uint64_t rows = io::length_of(curve, "parameter");
    const auto owners = io::read_within<std::int32_t>(curve, "parameter", {rows}, 0, last);
    const auto values = io::read_finite(curve, "value", {rows});
    const auto drops = io::read_shaped<double>(curve, "drop", {rows});
    const auto points = io::read_finite(curve, "parameters", {rows, n});
    for (std::size_t row = 0; row < rows; ++row)
        for (ProfileIntervals& one : found) {
            if (one.parameter != static_cast<std::size_t>(owners[row])) continue;
            const auto first = points.begin() + static_cast<std::ptrdiff_t>(row * n);
            one.points.push_back(
                {values[row], drops[row], {first, first + static_cast<std::ptrdiff_t>(n)}});
        }
    return found;
}

void write_bootstrap(io::h5::Group& fit, const BootstrapErrors& errors) {
    io::h5::Group group = fit.group("bootstrap");
    std::vector<double> deviations, lower, upper;
    for (const BootstrapSummary& one : errors.summaries) {
        deviations.push_back(one.standard_error);
        lower.insert(lower.end(), one.lower.begin(), one.lower.end());
        upper.insert(upper.end(), one.upper.begin(), one.upper.end());
    }
    const auto n = static_cast<std::uint64_t>(errors.summaries.size());
    group.write("likelihood", errors.likelihood);
    group.write("gain", errors.gain);
    group.write("converged", errors.converged);
    group.write("parameters", errors.parameters, {static_cast<std::uint64_t>(errors.sets()), n});
    group.write("standard_errors", deviations);
    group.write("lower", lower, {n, 2});
    group.write("upper", upper, {n, 2});
}

BootstrapErrors read_bootstrap(const io::h5::Group& group, std::uint64_t n) {
    BootstrapErrors found;
    const std::uint64_t sets = io::length_of(group, "likelihood");
    found.likelihood = io::read_shaped<double>(group, "likelihood", {sets});
    found.gain = io::read_shaped<double>(group, "gain", {sets});
    const auto converged = io::read_within<std::int32_t>(group, "converged", {sets}, 0, 1);
    found.converged.assign(converged.begin(), converged.end());
    found.parameters = io::read_shaped<double>(group, "parameters", {sets, n});
    const auto deviations = io::read_shaped<double>(group, "standard_errors", {n});
    const auto lower = io::read_shaped<double>(group, "lower", {n, 2});
    const auto upper = io::read_shaped<double>(group, "upper", {n, 2});
    for (std::size_t i = 0; i < n; ++i)
        found.summaries.push_back(
            {deviations[i], {lower[2 * i], lower[2 * i + 1]}, {upper[2 * i], upper[2 * i + 1]}});
    return found;
}

}  // namespace

const ProfileIntervals* FitErrors::profile_of(std::size_t parameter) const {
    const auto found = std::ranges::find(profiles, parameter, &ProfileIntervals::parameter);
    return found == profiles.end() ? nullptr : &*found;
}

FitErrors make_fit_errors(const FitCourse& course, const StreamSpace& space, double unit) {
    FitErrors errors;
    errors.drops = course.drops;
    errors.left_maxima = course.left_maxima;
    for (const Profile& profile : course.profiles)
        errors.profiles.push_back(intervals_of(profile, space));
    if (!course.refits.empty()) errors.bootstrap = bootstrap_of(course, space, unit);
    return errors;
}

void write_fit_errors(io::h5::Group& fit, const FitErrors& errors) {
    std::vector<double> drops;
    std::vector<std::uint8_t> trusted;
    for (std::size_t i = 0; i < errors.drops.size(); ++i) {
        drops.insert(drops.end(), errors.drops[i].begin(), errors.drops[i].end());
        trusted.push_back(errors.trusted(i) ? 1 : 0);
    }
    fit.write_attribute("left_maxima", static_cast<std::int64_t>(errors.left_maxima));
    fit.write("errors_trusted", trusted);
    fit.write("drops", drops, {errors.drops.size(), check_places.size()})
        .write_attribute("places", std::vector<double>(check_places.begin(), check_places.end()));
    if (!errors.profiles.empty()) write_profiles(fit, errors);
    if (errors.bootstrap) write_bootstrap(fit, *errors.bootstrap);
}

FitErrors read_fit_errors(const io::h5::Group& fit, std::uint64_t parameters) {
    FitErrors errors;
    if (!fit.contains("drops")) return errors;
    errors.left_maxima = static_cast<int>(io::attribute_within(fit, "left_maxima", 0, 1000));
    const auto drops = io::read_shaped<double>(fit, "drops", {parameters, check_places.size()});
    for (std::size_t i = 0; i < parameters; ++i)
        std::copy_n(drops.begin() + static_cast<std::ptrdiff_t>(i * check_places.size()),
                    check_places.size(), errors.drops.emplace_back().begin());
    if (fit.contains("profile"))
        errors.profiles = read_profiles(fit.open_group("profile"), parameters);
    if (fit.contains("bootstrap"))
        errors.bootstrap = read_bootstrap(fit.open_group("bootstrap"), parameters);
    return errors;
}

}  // namespace tessera::likelihood
