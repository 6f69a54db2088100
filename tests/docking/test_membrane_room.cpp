// Whether a membrane leaves a place on the grid, against a walk over all translations.
#include "docking/setup/membrane_room.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "docking/model/membrane.hpp"
#include "docking/search/restraint_filter.hpp"

namespace tessera::docking {
namespace {

/// Whether one of the translations that the search keeps is allowed.
bool finds_room(const MembraneFilter& filter, const Quaternion& turn, const DockingFrame& frame) {
    const int reach = frame.n / 2 - 1;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach; z <= reach; ++z)
                if (filter.allows({turn, frame.receptor_center +
                                             frame.spacing * Vec3{1.0 * x, 1.0 * y, 1.0 * z}}))
                    return true;
    return false;
}

/// About an axis that leans by `lean` from y to x.
Quaternion turn_of(double angle, double lean) {
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * std::sin(lean), s * std::cos(lean), 0};
}

TEST(MembraneRoom, IsFoundWhereATranslationOfTheGridIsAllowed) {
    const std::vector<Vec3> ligand = {{1, 2, 3}, {5, 2, 4}, {3, -1, 7}};
    DockingFrame frame;
    frame.n = 12, frame.spacing = 2;
    frame.receptor_center = {3, 4, 5}, frame.ligand_center = {3, 1, 4};
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    int with = 0, without = 0;
    for (int trial = 0; trial < 200; ++trial) {
        MembraneOptions options;
        options.slab = "0," + std::to_string(5 + 20 * (1 + number(random)));
        if (trial % 2 == 0) options.ligand_slab = std::to_string(40 * number(random)) + ",99";
        options.axis = trial % 3 == 0 ? "0,1,0" : "1,-2,2";
        Membrane membrane = parse_membrane(options, false);
        membrane.tilt = 180;  // the rotations are chosen elsewhere
        const MembraneFilter filter(membrane, ligand, frame);
        const Quaternion turn = turn_of(units::degree * 180 * number(random), number(random));
        const bool told = has_room(*filter.rule(), turn, frame.n, frame.spacing);
        EXPECT_EQ(told, finds_room(filter, turn, frame)) << trial;
        ++(told ? with : without);
    }
    EXPECT_GT(with, 20);
    EXPECT_GT(without, 20);
}

}  // namespace
}  // namespace tessera::docking
