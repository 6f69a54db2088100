// The values of options by their names (declared in input.hpp).
#include "core/error.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::likelihood {

namespace {

[[noreturn]] void refuse_choice(const char* name, const std::string& value, const char* choices) {
    throw Error(std::string(name) + " is '" + value + "'", std::string("it is ") + choices,
                "choose one of them");
}

}  // namespace

Integration integration_named(const std::string& name) {
    if (name == "compressed") return Integration::compressed;
    if (name == "exact") return Integration::exact;
    refuse_choice("integration", name, "compressed or exact");
}

kernels::Precision precision_named(const std::string& name) {
    using kernels::Precision;
    if (name == "double") return Precision::double_precision;
    if (name == "single-compensated") return Precision::single_compensated;
    if (name == "single") return Precision::single_plain;
    refuse_choice("precision", name, "double, single-compensated or single");
}

Quadrature quadrature_named(const std::string& name) {
    if (name == "milkyway") return Quadrature::milkyway;
    if (name == "gauss") return Quadrature::gauss;
    refuse_choice("quadrature", name, "milkyway or gauss");
}

}  // namespace tessera::likelihood
