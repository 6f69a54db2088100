// What is said when HDF5 crashes in a damaged file.
#pragma once

#include <string>

namespace tessera::io::h5 {

/// From now on, a crash of the process (SIGSEGV, SIGBUS) ends it with one line that names `path`
/// and with the exit code of bad input. HDF5 1.10 crashes in some files whose bytes have changed,
/// and no check before that can find all of them. For commands that read results, not for Python,
/// which has handlers of its own.
void explain_crashes_in(const std::string& path);

/// Whether an address sanitizer reports crashes. explain_crashes_in() then leaves them to it.
bool crashes_are_reported();

}  // namespace tessera::io::h5
