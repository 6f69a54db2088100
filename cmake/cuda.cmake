# The CUDA language: sm_90 code and PTX unless CMAKE_CUDA_ARCHITECTURES says otherwise. Portable programs have code for
# A100, H100 and B200, and PTX of the newest, which later GPUs compile when the program starts.

find_package(CUDAToolkit 12 REQUIRED)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
    if(TESSERA_CPU AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.8)  # the first that knows sm_100
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)
    elseif(TESSERA_CPU)
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
endif()
foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    if(architecture MATCHES "^([0-9]+)" AND CMAKE_MATCH_1 LESS 80)
        message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES has ${architecture}, and the kernels need asynchronous copies "
                            "and tensor cores of compute capability 8.0: give 80 or more")
    endif()
endforeach()
enable_language(CUDA)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # nvcc has C++20 since 12.0, CMake knows that since 3.26.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)

# Kokkos 4.7 calls two runtime functions by signatures that CUDA 13 changed; the header gives the
# old ones back, so that Kokkos' own sources stay as released.
add_compile_options(
    $<$<COMPILE_LANGUAGE:CUDA>:--pre-include=${PROJECT_SOURCE_DIR}/cmake/kokkos_cuda13_shim.hpp>
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
