// What a run does when its client suspends or ends it.
#pragma once

#include <functional>

namespace tessera::boinc {

/// What the client asks for at a moment.
struct Requests {
    bool suspended = false;
    bool ended = false;  ///< quit, abort, or the client is gone
};

/// How to ask the client, wait a little, and ask the run to stop after its tile.
struct Control {
    std::function<Requests()> asked;
    std::function<void()> wait;
    std::function<void()> stop;
};

/// Returns when the run may go on. The end comes through a suspension, too.
void obey(const Control& control);

}  // namespace tessera::boinc
