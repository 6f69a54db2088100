// Atoms near a point, against all distances.
#include "docking/refinement/near_atoms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tessera::docking {
namespace {

TEST(NearAtoms, AreAllWithinReach) {
    std::vector<Vec3> atoms;
    for (int i = 0; i < 200; ++i)
        atoms.push_back({std::sin(2.0 * i) * 20, std::cos(3.0 * i) * 20, std::sin(5.0 * i) * 20});
    for (const double reach : {1.0, 6.0, 12.0}) {
        const NearAtoms near(atoms, reach);
        for (int k = 0; k < 50; ++k) {
            const Vec3 point{0.9 * k - 22, 0.5 * k - 10, 12 - 0.3 * k};
            std::set<int> expected, found;
            for (std::size_t i = 0; i < atoms.size(); ++i)
                if (norm(atoms[i] - point) < reach) expected.insert(static_cast<int>(i));
            near.for_each(point, [&](int i, double square) {
                EXPECT_NEAR(square, std::pow(norm(atoms[i] - point), 2), 1e-9);
                if (square < reach * reach) {
                    EXPECT_TRUE(found.insert(i).second) << "twice";
                }
            });
            EXPECT_EQ(found, expected) << reach << " " << k;
        }
    }
}

TEST(NearAtoms, OfNoneAreNone) {
    int calls = 0;
    NearAtoms({}, 6).for_each({}, [&](int, double) { ++calls; });
    NearAtoms({{0, 0, 0}}, 6).for_each({1e7, 0, 0}, [&](int, double) { ++calls; });
    EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace tessera::docking
