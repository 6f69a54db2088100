#include "likelihood/model/model_values.hpp"

#include <array>

namespace tessera::likelihood {

namespace {

std::vector<double*> fields(io::Background& b) {
    std::vector<double*> all{&b.epsilon, &b.q, &b.r0, &b.alpha, &b.delta, &b.a, &b.b, &b.c};
    if (b.triaxial) all.insert(all.end(), {&b.p, &b.yaw, &b.pitch, &b.roll});
    return all;
}

std::array<double*, stream_parameters> fields(io::Stream& s) {
    return {&s.epsilon, &s.mu, &s.r, &s.theta, &s.phi, &s.sigma};
}

/// Visits every number of `model` in the documented order.
template <class Visit>
void each_number(StreamModel& model, Visit&& visit) {
    for (double* number : fields(model.background)) visit(*number);
    for (io::Stream& stream : model.streams)
        for (double* number : fields(stream)) visit(*number);
}

}  // namespace

std::size_t background_numbers(const StreamModel& model) {
    return model.background.triaxial ? 12 : 8;
}

std::vector<std::string> parameter_names(const StreamModel& model) {
    std::vector<std::string> names;
    for (const char* field : {"epsilon", "q", "r0", "alpha", "delta", "a", "b", "c"})
        names.push_back(std::string("background.") + field);
    if (model.background.triaxial)
        for (const char* field : {"p", "yaw", "pitch", "roll"})
            names.push_back(std::string("background.") + field);
    for (std::size_t s = 1; s <= model.streams.size(); ++s)
        for (const char* field : {"epsilon", "mu", "r", "theta", "phi", "sigma"})
            names.push_back("stream" + std::to_string(s) + "." + field);
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
