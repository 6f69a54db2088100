#include <gtest/gtest.h>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

TEST(ModelValues, NamesAndNumbersMatchAndReturn) {
    StreamModel model;
    model.streams.resize(2);
    const auto names = parameter_names(model);
    ASSERT_EQ(names.size(), 8u + 2 * 6u);
    std::vector<double> values(names.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 + static_cast<double>(i);
    const StreamModel changed = with_values(model, values);
    EXPECT_EQ(parameter_values(changed), values);
    EXPECT_EQ(names[1], "background.q");
    EXPECT_EQ(changed.background.q, values[1]);
    EXPECT_EQ(names[8 + 6 + 5], "stream2.sigma");
    EXPECT_EQ(changed.streams[1].sigma, values[19]);
}

TEST(ModelValues, ATriaxialHaloHasFourMore) {
    StreamModel model;
    model.background.triaxial = true;
    model.streams.resize(1);
    const auto names = parameter_names(model);
    ASSERT_EQ(names.size(), 12u + 6u);
    EXPECT_EQ(names[8], "background.p");
    EXPECT_EQ(names[11], "background.roll");
    EXPECT_EQ(names[12], "stream1.epsilon");
    std::vector<double> values(names.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 + static_cast<double>(i);
    const StreamModel changed = with_values(model, values);
    EXPECT_EQ(parameter_values(changed), values);
    EXPECT_EQ(changed.background.p, values[8]);
    EXPECT_EQ(changed.background.roll, values[11]);
    EXPECT_EQ(changed.streams[0].epsilon, values[12]);
}

}  // namespace tessera::likelihood
