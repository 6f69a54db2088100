// What a call says that must be refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"

namespace tessera::test {

/// The message of the Error that call() throws, which is one line, or "no error".
std::string message_of(auto&& call) {
    try {
        call();
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find_first_of(std::string("\n\r\0", 3)), std::string::npos) << message;
        return message;
    }
    return "no error";
}

/// A message must have this part.
inline void expect_part(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
}

}  // namespace tessera::test
