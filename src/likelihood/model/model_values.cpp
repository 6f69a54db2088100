#include "likelihood/model/model_values.hpp"

#include <array>

namespace tessera::likelihood {

namespace {

std::array<double*, background_parameters> fields(io::Background& b) {
    return {&b.epsilon, &b.q, &b.r0, &b.alpha, &b.delta, &b.a, &b.b, &b.c};
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

std::vector<std::string> parameter_names(std::size_t streams) {
    std::vector<std::string> names;
    for (const char* field : {"epsilon", "q", "r0", "alpha", "delta", "a", "b", "c"})
        names.push_back(std::string("background.") + field);
    for (std::size_t s = 1; s <= streams; ++s)
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
