// What the last bits of a result depend on, apart from the program itself.
#pragma once

#include <string>

namespace tessera::kernels {

/// The processor's model, such as "Intel(R) Xeon(R) Platinum 8480+". Linux on Arm gives numbers
/// instead of a name: "Arm implementer 0x41, part 0xd40, variant 0x1, revision 1".
std::string cpu_name();

/// The vector units that the program was compiled for, those of the processor, and the versions of
/// FFTW and the C library: "avx512 code on avx512, fftw-3.3.10-sse2-avx, glibc 2.36".
std::string cpu_arithmetic();

/// The version of cuFFT, "cuFFT 12.0.0". Only builds with CUDA have this function.
std::string gpu_arithmetic();

}  // namespace tessera::kernels
