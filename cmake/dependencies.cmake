# Everything we link. What find_package or the compiler's paths give comes first (modules, spack,
# distribution packages); .deps/, filled by scripts/deps, serves machines without network.

set(TESSERA_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps)

# A header-only library: its include folder, from the system or from .deps/include.
function(tessera_header_library target header)
    find_path(${target}_INCLUDE_DIR ${header} HINTS ${TESSERA_DEPS_DIR}/include)
    if(NOT ${target}_INCLUDE_DIR)
        message(FATAL_ERROR "${header} is missing (neither installed nor in .deps/include): "
                            "run scripts/deps, or set ${target}_INCLUDE_DIR")
    endif()
    add_library(tessera::${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(tessera::${target} SYSTEM INTERFACE ${${target}_INCLUDE_DIR})
endfunction()

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(FFTW3f REQUIRED)

# Optional: star catalogues in FITS. A wheel carries the libraries that its programs are linked with.
find_package(CFITSIO QUIET)
if(SKBUILD)
    set(late_cfitsio OFF)
else()
    set(late_cfitsio ON)
endif()
option(TESSERA_LATE_CFITSIO "Load cfitsio when a FITS file is read, not at the start" ${late_cfitsio})
if(NOT CFITSIO_FOUND)
    message(STATUS "cfitsio was not found: the program will read no FITS tables of stars (Debian: libcfitsio-dev)")
endif()

# Optional: grids that are packed by zfp.
find_package(ZFP QUIET)
if(NOT ZFP_FOUND)
    message(STATUS "zfp was not found: tessera orbital --zfp will only say so (Debian: libzfp-dev)")
endif()

# Optional: the queue of one machine.
if(NOT TESSERA_ENABLE_QUEUE STREQUAL "OFF")
    find_package(SQLite3 3.35 QUIET)
    if(NOT SQLite3_FOUND AND TESSERA_ENABLE_QUEUE STREQUAL "ON")
        message(FATAL_ERROR "TESSERA_ENABLE_QUEUE needs SQLite 3.35 or newer (Debian: libsqlite3-dev)")
    elseif(NOT SQLite3_FOUND)
        message(STATUS "SQLite was not found: tessera queue will only say so (Debian: libsqlite3-dev)")
    endif()
endif()

find_package(MPI 3 REQUIRED COMPONENTS C)
# The C interface only: the C++ bindings are gone from MPI-3.
add_library(tessera_mpi_c INTERFACE)
target_link_libraries(tessera_mpi_c INTERFACE MPI::MPI_C)
target_compile_definitions(tessera_mpi_c INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

include(hdf5)

tessera_header_library(cli11 CLI/CLI.hpp)
tessera_header_library(tomlplusplus toml++/toml.h)
tessera_header_library(pegtl tao/pegtl.hpp)
tessera_header_library(gemmi gemmi/mmread.hpp)
target_link_libraries(tessera::gemmi INTERFACE tessera::pegtl ZLIB::ZLIB)

if(TESSERA_ENABLE_NCCL)
    find_package(NCCL REQUIRED)
endif()

if(TESSERA_ENABLE_BOINC)
    find_package(BOINC REQUIRED)  # Debian: libboinc-app-dev
endif()

include(kokkos)

if(TESSERA_ENABLE_TESTS)
    find_package(GTest REQUIRED)
endif()
if(TESSERA_ENABLE_BENCHMARKS)
    find_package(benchmark REQUIRED)
endif()
