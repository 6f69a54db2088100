// Seeded models on small grids, for comparison with brute force.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::test {

class RandomModels {
  public:
    explicit RandomModels(unsigned seed) : random_(seed) {}

    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
    }

    /// Streams of any width through the wedge or beside it, near and far.
    io::StreamModel model(int streams) {
        io::StreamModel m;
        m.wedge = static_cast<int>(between(9, 87));
        m.convolve = 2 * static_cast<int>(between(5, 30));
        m.model = between(0, 1) < 0.5 ? io::Model::classic : io::Model::model2018;
        io::Background& b = m.background;
        b.q = between(0.3, 1.5);
        b.r0 = between(5, 20);
        b.epsilon = between(0, 1);
        if (between(0, 1) < 0.3) {
            b.alpha = between(0.6, 1.8);
            b.delta = between(0.6, 1.8);
        }
        const double mu = between(100, 250), wide = between(5, 120);
        m.areas.push_back({{16, between(20, 22.5), 2 * static_cast<int>(between(4, 20))},
                           {mu, mu + wide, 2 * static_cast<int>(between(3, 25))},
                           {-1.25, 1.25, 2 * static_cast<int>(between(2, 12))}});
        for (int s = 0; s < streams; ++s)
            m.streams.push_back({between(-2, 1), mu + between(-0.1, 1.1) * wide, between(2, 50),
                                 between(0, 3.14), between(-3.14, 3.14),
                                 std::pow(10, between(-1, 1.7))});
        return m;
    }

    std::vector<io::Star> stars(int count) {
        std::vector<io::Star> made;
        for (int i = 0; i < count; ++i)
            made.push_back({between(0, 360), between(-89, 89), between(3, 35)});
        return made;
    }

  private:
    std::mt19937 random_;
};

}  // namespace tessera::test
