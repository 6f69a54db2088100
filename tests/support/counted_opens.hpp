// How often the files of a folder are opened while something is done.
#pragma once

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>

namespace tessera::test {

/// Names of files that `work` opens, each with the number of times.
template <class Work>
std::map<std::string, int> counted_opens(const std::filesystem::path& folder, const Work& work) {
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    EXPECT_GE(inotify_add_watch(watch, folder.c_str(), IN_OPEN), 0);
    work();
    std::map<std::string, int> opens;
    alignas(inotify_event) char events[1 << 16];
    const ssize_t bytes = read(watch, events, sizeof events);
    for (ssize_t at = 0; at < bytes;) {
        const auto* event = reinterpret_cast<const inotify_event*>(events + at);
        if (event->len > 0) ++opens[event->name];
        at += static_cast<ssize_t>(sizeof *event) + event->len;
    }
    close(watch);
    return opens;
}

}  // namespace tessera::test
