# HDF5, serial by default. Debian and Ubuntu install the serial and the MPI build side by side;
# FindHDF5 follows h5cc or h5pcc.

set(HDF5_PREFER_PARALLEL ${TESSERA_ENABLE_PARALLEL_HDF5})
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
if(TESSERA_ENABLE_PARALLEL_HDF5 AND NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR "HDF5 in ${HDF5_C_INCLUDE_DIRS} has no MPI: install libhdf5-openmpi-dev "
                        "(or load a parallel HDF5), or switch TESSERA_ENABLE_PARALLEL_HDF5 off")
endif()

# Debian's shared HDF5 needs libcurl and with it about thirty libraries, whose loading takes more than half of a start
# without MPI. The static library beside it needs none of them, because the linker leaves out what nobody calls.
option(TESSERA_STATIC_HDF5 "Link the program with a static HDF5 where one is found and links" ON)
set(TESSERA_HDF5_ARCHIVE "")
if(TESSERA_STATIC_HDF5 AND NOT HDF5_IS_PARALLEL)
    list(GET HDF5_C_LIBRARIES 0 hdf5_shared)
    string(REGEX REPLACE "\\.so$" ".a" hdf5_archive "${hdf5_shared}")
    if(NOT hdf5_archive STREQUAL hdf5_shared AND EXISTS "${hdf5_archive}")
        set(TESSERA_HDF5_ARCHIVE "${hdf5_archive};sz;z;${CMAKE_DL_LIBS};m")
        include(CheckCSourceCompiles)
        set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
        set(CMAKE_REQUIRED_LIBRARIES ${TESSERA_HDF5_ARCHIVE})
        check_c_source_compiles("#include <hdf5.h>\nint main(void) { return H5open() + (int)H5Fopen(\"\", 0, 0); }"
                                TESSERA_HDF5_ARCHIVE_LINKS)
        unset(CMAKE_REQUIRED_INCLUDES)
        unset(CMAKE_REQUIRED_LIBRARIES)
    endif()
endif()

add_library(tessera_hdf5 INTERFACE)
if(TESSERA_HDF5_ARCHIVE_LINKS)
    # The Python module shares the process with h5py: a target with the property SHARED_HDF5 has the shared one.
    target_link_libraries(tessera_hdf5 INTERFACE
        "$<IF:$<BOOL:$<TARGET_PROPERTY:SHARED_HDF5>>,${HDF5_C_LIBRARIES},${TESSERA_HDF5_ARCHIVE}>")
else()
    target_link_libraries(tessera_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
endif()
target_include_directories(tessera_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(tessera_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
if(HDF5_IS_PARALLEL)
    # hdf5.h includes mpi.h then, also where we write with one rank.
    target_link_libraries(tessera_hdf5 INTERFACE tessera_mpi_c)
endif()
