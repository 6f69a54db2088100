#include "engine/build_record.hpp"

#include <build_info.hpp>

#include <nlohmann/json.hpp>

namespace tessera::engine {

std::string program_version() { return build_info::version; }

std::string program_revision() { return build_info::git_revision; }

std::string build_record() {
    return nlohmann::ordered_json{
        {"version", build_info::version},   {"git_revision", build_info::git_revision},
        {"compiler", build_info::compiler}, {"build_type", build_info::build_type},
        {"kokkos", build_info::kokkos},     {"mpi", build_info::mpi},
        {"hdf5", build_info::hdf5},         {"cuda", build_info::cuda}}
        .dump();
}

}  // namespace tessera::engine
