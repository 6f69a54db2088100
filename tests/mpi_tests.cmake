# Tests that need several ranks, on 1 to 4 of them, more than the cores of a small machine.
set(mpiexec_wrapper ${PROJECT_SOURCE_DIR}/scripts/mpiexec)
set(ranks_environment OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive ${mpi_environment})

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/mpi_test_*.cpp)
if(sources)
    add_executable(tests_mpi_ranks ${sources} support/mpi_main.cpp support/test_device.cpp)
    target_link_libraries(tests_mpi_ranks PRIVATE tests_support tessera_docking tessera_likelihood tessera_tile_journal tessera_mpi
                                                  tessera_io)
    foreach(ranks 1 2 3 4)
        add_test(NAME mpi.ranks_${ranks} COMMAND ${mpiexec_wrapper} ${MPIEXEC_EXECUTABLE} -n
                                                 ${ranks} $<TARGET_FILE:tests_mpi_ranks>)
        set_tests_properties(
            mpi.ranks_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
                                          ENVIRONMENT "${ranks_environment}")
    endforeach()
endif()
