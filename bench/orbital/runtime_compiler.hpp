// Compiles CUDA sources while a program runs (NVRTC). This needs neither a GPU nor nvcc.
#pragma once

#include <nvrtc.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace tessera::bench {

/// Machine code of a CUDA source for an architecture, such as "sm_90".
inline std::vector<char> compile_for(const std::string& source, const std::string& architecture) {
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, source.c_str(), "generated.cu", 0, nullptr, nullptr);
    const std::string option = "--gpu-architecture=" + architecture;
    const char* options[] = {option.c_str(), "--std=c++17"};
    const nvrtcResult result = nvrtcCompileProgram(program, 2, options);
    std::size_t size = 0;
    std::string log;
    if (result != NVRTC_SUCCESS && nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS) {
        log.resize(size);
        nvrtcGetProgramLog(program, log.data());
    }
    std::vector<char> code;
    if (result == NVRTC_SUCCESS && nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS) {
        code.resize(size);
        nvrtcGetCUBIN(program, code.data());
    }
    nvrtcDestroyProgram(&program);
    if (code.empty())
        throw Error("a generated kernel does not compile", log.substr(0, log.find('\n')),
                    "report this with the molecule's file", ExitCode::internal);
    return code;
}

}  // namespace tessera::bench
