# HDF5, serial by default. Debian and Ubuntu install the serial and the MPI build side by side;
# FindHDF5 follows h5cc or h5pcc.

set(HDF5_PREFER_PARALLEL ${TESSERA_ENABLE_PARALLEL_HDF5})
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
if(TESSERA_ENABLE_PARALLEL_HDF5 AND NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR "HDF5 in ${HDF5_C_INCLUDE_DIRS} has no MPI: install libhdf5-openmpi-dev "
                        "(or load a parallel HDF5), or switch TESSERA_ENABLE_PARALLEL_HDF5 off")
endif()

add_library(tessera_hdf5 INTERFACE)
target_link_libraries(tessera_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_include_directories(tessera_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(tessera_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
if(HDF5_IS_PARALLEL)
    # hdf5.h includes mpi.h then, also where we write with one rank.
    target_link_libraries(tessera_hdf5 INTERFACE tessera_mpi_c)
endif()
