// What every reader of texts must do with bad ones: refuse them with one line.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/error.hpp"
#include "support/mutated_text.hpp"

namespace tessera::test {

/// read(text) throws Error with one line that holds `part`.
template <class Read>
void expect_refused(const Read& read, const std::string& text, const std::string& part) {
    try {
        read(text);
        ADD_FAILURE() << "no error: " << part;
    } catch (const Error& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find(part), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
}

/// 5000 mutations of a good text, some of which are read, and some refused with one line.
template <class Read>
void expect_read_or_refused(const Read& read, const std::string& good, unsigned seed) {
    std::mt19937 random(seed);
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        try {
            read(mutated(good, random));
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_LT(refused, 5000);
}

}  // namespace tessera::test
