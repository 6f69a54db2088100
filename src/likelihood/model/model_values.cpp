#include "likelihood/model/model_values.hpp"

#include <array>

#include "io/streams/stream_profiles.hpp"

namespace tessera::likelihood {

namespace {

std::vector<double*> fields(io::Background& b) {
    std::vector<double*> all{&b.epsilon, &b.q, &b.r0, &b.alpha, &b.delta, &b.a, &b.b, &b.c};
    for (const io::ProfileNumber* number : io::further_numbers(b))
        all.push_back(&(b.*number->value));
    return all;
}

std::array<double*, stream_parameters> fields(io::Stream& s) {
    if (s.has_track())
        return {&s.epsilon, &s.first_across, &s.first_away, &s.last_across, &s.last_away, &s.sigma};
    return {&s.epsilon, &s.mu, &s.r, &s.theta, &s.phi, &s.sigma};
}

std::array<const char*, stream_parameters> stream_fields(const io::Stream& s) {
    if (s.has_track())
        return {"epsilon", "first_across", "first_away", "last_across", "last_away", "sigma"};
    return {"epsilon", "mu", "r", "theta", "phi", "sigma"};
}

std::array<double*, spread_parameters> fields(io::Spread& s) {
    return {&s.mean, &s.slope, &s.curvature, &s.dispersion};
}

/// Visits every number of `model` in the documented order.
template <class Visit>
void each_number(StreamModel& model, Visit&& visit) {
    const auto each_spread = [&visit](std::vector<io::Spread>& spreads) {
        for (io::Spread& spread : spreads)
            for (double* number : fields(spread)) visit(*number);
    };
    for (double* number : fields(model.background)) visit(*number);
    for (std::size_t p = 0; p < model.background.populations.size(); ++p) {
        io::Population& population = model.background.populations[p];
        if (p > 0) visit(population.epsilon);
        each_spread(population.observables);
    }
    for (io::Stream& stream : model.streams)
        for (double* number : fields(stream)) visit(*number);
    for (io::Stream& stream : model.streams) each_spread(stream.observables);
}

void append_spread_names(const StreamModel& model, const std::string& component,
                         std::vector<std::string>& names) {
    for (const io::Observable& one : model.observables)
        for (const char* field : {"mean", "slope", "curvature", "dispersion"})
            names.push_back(component + "." + one.name + "." + field);
}

}  // namespace

std::size_t halo_numbers(const StreamModel& model) {
    return 8 + io::further_numbers(model.background).size();
}

std::size_t background_numbers(const StreamModel& model) {
    const std::size_t populations = model.background.populations.size();
    const std::size_t of_one = 1 + spread_parameters * model.observables.size();
    return halo_numbers(model) + (populations == 0 ? 0 : populations * of_one - 1);
}

std::vector<std::string> parameter_names(const StreamModel& model) {
    std::vector<std::string> names;
    for (const char* field : {"epsilon", "q", "r0", "alpha", "delta", "a", "b", "c"})
        names.push_back(std::string("background.") + field);
    for (const io::ProfileNumber* number : io::further_numbers(model.background))
        names.push_back("background." + std::string(number->key));
    for (std::size_t p = 1; p <= model.background.populations.size(); ++p) {
        const std::string population = "background.population" + std::to_string(p);
        if (p > 1) names.push_back(population + ".epsilon");
        append_spread_names(model, population, names);
    }
    for (std::size_t s = 1; s <= model.streams.size(); ++s)
        for (const char* field : stream_fields(model.streams[s - 1]))
            names.push_back("stream" + std::to_string(s) + "." + field);
    for (std::size_t s = 1; s <= model.streams.size(); ++s)
        append_spread_names(model, "stream" + std::to_string(s), names);
    return names;
}

std::vector<double> parameter_values(const StreamModel& model) {
    std::vector<double> values;
    StreamModel copy = model;
    each_number(copy, [&](double number) { values.push_back(number); });
    return values;
}

StreamModel with_values(StreamModel model, const std::vector<double>& values) {
    auto value = values.begin();
    each_number(model, [&](double& number) { number = *value++; });
    return model;
}

}  // namespace tessera::likelihood
