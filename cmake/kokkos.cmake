# Kokkos: an installed one, else the source in .deps/kokkos, else the official release.

set(TESSERA_KOKKOS_URL
    https://github.com/kokkos/kokkos/releases/download/4.7.00/kokkos-4.7.00.tar.gz)
set(TESSERA_KOKKOS_SHA256 126b774a24dde8c1085c4aede7564c0b7492d6a07d85380f2b387a712cea1ff5)

# What we ask of a Kokkos that is built here.
macro(tessera_kokkos_options)
    set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "" FORCE)
    set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "" FORCE)
    set(Kokkos_ENABLE_CUDA ${TESSERA_ENABLE_CUDA} CACHE BOOL "" FORCE)
    set(Kokkos_ARCH_NATIVE ${TESSERA_NATIVE} CACHE BOOL "" FORCE)
    # C++20 with nvcc 13.0: the mdspan-based View of 4.7 is laid out differently on the device than
    # on the host, and lambdas that capture one are corrupted.
    set(Kokkos_ENABLE_IMPL_VIEW_LEGACY ON CACHE BOOL "" FORCE)
    if(TESSERA_ENABLE_CUDA)
        set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON CACHE BOOL "" FORCE)
        # Kokkos takes one architecture, the oldest. Newer GPUs compile the PTX of its few kernels.
        if(80-real IN_LIST CMAKE_CUDA_ARCHITECTURES)
            set(Kokkos_ARCH_AMPERE80 ON CACHE BOOL "" FORCE)
        elseif(90 IN_LIST CMAKE_CUDA_ARCHITECTURES)
            set(Kokkos_ARCH_HOPPER90 ON CACHE BOOL "" FORCE)
        endif()
    endif()
endmacro()

find_package(Kokkos 4.6...<6 QUIET)
if(Kokkos_FOUND)
    message(STATUS "Kokkos: installed ${Kokkos_VERSION} (${Kokkos_DIR})")
    if(TESSERA_ENABLE_CUDA AND NOT "CUDA" IN_LIST Kokkos_DEVICES)
        message(FATAL_ERROR "the Kokkos in ${Kokkos_DIR} has no CUDA: load one that has, or hide it "
                            "with -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON to build our own")
    endif()
elseif(EXISTS ${TESSERA_DEPS_DIR}/kokkos/CMakeLists.txt)
    message(STATUS "Kokkos: source in .deps/kokkos")
    tessera_kokkos_options()
    add_subdirectory(${TESSERA_DEPS_DIR}/kokkos kokkos EXCLUDE_FROM_ALL SYSTEM)
    get_directory_property(Kokkos_VERSION DIRECTORY ${TESSERA_DEPS_DIR}/kokkos
                           DEFINITION Kokkos_VERSION)
elseif(TESSERA_FETCH)
    message(STATUS "Kokkos: release archive")
    tessera_kokkos_options()
    include(FetchContent)
    FetchContent_Declare(kokkos URL ${TESSERA_KOKKOS_URL} URL_HASH SHA256=${TESSERA_KOKKOS_SHA256}
                         DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
    FetchContent_MakeAvailable(kokkos)
else()
    message(FATAL_ERROR "Kokkos >= 4.6 is missing (neither installed nor in .deps/kokkos): run "
                        "scripts/deps, set Kokkos_ROOT, or allow the download (TESSERA_FETCH=ON)")
endif()
