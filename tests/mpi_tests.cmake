# Tests that need several ranks, on 1 to 4 of them, more than the cores of a small machine.
set(mpiexec_wrapper ${PROJECT_SOURCE_DIR}/scripts/mpiexec)
set(ranks_environment OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive ${mpi_environment})

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/mpi_test_*.cpp)
if(sources)
    add_executable(tests_mpi_ranks ${sources} support/mpi_main.cpp support/test_device.cpp)
    tessera_compile_together(tests_mpi_ranks)
    target_link_libraries(tests_mpi_ranks PRIVATE tests_support tessera_docking tessera_likelihood tessera_engine tessera_mpi
                                                  tessera_io)
    foreach(ranks 1 2 3 4)
        add_test(NAME mpi.ranks_${ranks} COMMAND ${mpiexec_wrapper} ${MPIEXEC_EXECUTABLE} -n
                                                 ${ranks} $<TARGET_FILE:tests_mpi_ranks>)
        set_tests_properties(
            mpi.ranks_${ranks} PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2
                                          ENVIRONMENT "${ranks_environment}")
    endforeach()

    # As between machines that speak TCP: windows of Open MPI's pt2pt, and of its ucx, whose updates are
    # made under a lock that others take by messages; where Open MPI has them. Sanitizers and UCX do not
    # bear each other: its hook of madvise runs where a thread's state is gone already.
    set(tcp_pt2pt "OMPI_MCA_osc=sm,pt2pt")
    set(tcp_ucx "OMPI_MCA_osc=sm,ucx;UCX_TLS=tcp,self")
    find_program(OMPI_INFO ompi_info)
    mark_as_advanced(OMPI_INFO)
    if(OMPI_INFO)
        execute_process(COMMAND ${OMPI_INFO} OUTPUT_VARIABLE openmpi_components ERROR_QUIET)
    endif()
    set(transports)
    if(openmpi_components MATCHES "MCA osc: pt2pt")
        list(APPEND transports tcp_pt2pt)
    endif()
    if(openmpi_components MATCHES "MCA osc: ucx" AND NOT TESSERA_SANITIZE)
        list(APPEND transports tcp_ucx)
    endif()
    foreach(transport ${transports})
        add_test(NAME mpi.${transport}
                 COMMAND ${mpiexec_wrapper} ${MPIEXEC_EXECUTABLE} -n 4 $<TARGET_FILE:tests_mpi_ranks>
                         --gtest_filter=*Tiles*ByMessages*:RemoteCounters*)
        set(transport_environment OMP_NUM_THREADS=1 OMPI_MCA_btl=tcp,self ${${transport}} ${mpi_environment})
        set_tests_properties(
            mpi.${transport}
            PROPERTIES LABELS mpi TIMEOUT 300 PROCESSORS 2 ENVIRONMENT "${transport_environment}")
    endforeach()
endif()
