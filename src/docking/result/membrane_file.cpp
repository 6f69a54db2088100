#include "docking/result/membrane_file.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

constexpr const char* membrane_group = "membrane";

void write(Group group, const Slab& slab) {
    group.write_attribute("normal",
                          std::vector<double>{slab.normal.x, slab.normal.y, slab.normal.z});
    group.write_attribute("low_angstrom", slab.low);
    group.write_attribute("high_angstrom", slab.high);
}

/// A slab that is open to one side has an infinite bound.
Slab read(const Group& group) {
    const auto normal = io::finite_attributes(group, "normal", 3);
    const Slab slab{{normal[0], normal[1], normal[2]},
                    group.read_attribute<double>("low_angstrom"),
                    group.read_attribute<double>("high_angstrom")};
    if (!(std::abs(norm(slab.normal) - 1) < 1e-6))
        group.refuse("'" + group.name() + "@normal'", "it is no unit vector");
    if (!(slab.low < slab.high))
        group.refuse("'" + group.name() + "@low_angstrom'", "it is not below high_angstrom");
    return slab;
}

}  // namespace

void write_membrane(Group& docking, const Membrane& membrane) {
    Group group = docking.group(membrane_group);
    write(group.group("receptor"), membrane.slab);
    if (membrane.ligand) write(group.group("ligand"), *membrane.ligand);
    const bool is_tilted = membrane.of_ring || membrane.ligand;
    if (is_tilted) group.write_attribute("tilt_degrees", membrane.tilt);
    if (membrane.ligand) group.write_attribute("shift_angstrom", membrane.shift);
    if (!is_tilted) group.write_attribute("tolerance_angstrom", membrane.tolerance);
}

std::optional<Membrane> read_membrane(const Group& docking) {
    if (!docking.contains(membrane_group)) return std::nullopt;
    const Group group = docking.open_group(membrane_group);
    const auto value = [&](const char* name) {
        return group.has_attribute(name) ? io::finite_attribute(group, name) : 0;
    };
    Membrane membrane{read(group.open_group("receptor")),
                      {},
                      docking.has_attribute("symmetry"),
                      value("tolerance_angstrom"),
                      value("tilt_degrees"),
                      value("shift_angstrom")};
    if (group.contains("ligand")) membrane.ligand = read(group.open_group("ligand"));
    return membrane;
}

}  // namespace tessera::docking
