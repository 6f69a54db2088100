# Scripts that run the whole program; exit 77 skips. First argument: the program's path. In their
# environment: TESSERA_MPIEXEC ("$TESSERA_MPIEXEC" -n 2 "$1" dock ...), TESSERA_PYTHON (a Python
# with numpy and h5py, empty where there is none), TESSERA_FAILING_FILES, TESSERA_CHOOSER and TESSERA_SOURCE_DIR.
# TESSERA_FAULTY is the same program with faults on order (support/faults.hpp).
add_executable(tessera_faulty support/faulty_main.cpp support/faults.cpp support/break_device.cpp)
tessera_kokkos_sources(support/break_device.cpp)
target_include_directories(tessera_faulty PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(tessera_faulty PRIVATE tessera_app tessera_options tessera::cli11 Kokkos::kokkos)

# What lets calls on files fail in regression/failing_files.py. Sanitizers bear no library loaded before theirs.
set(failing_files "")
if(NOT TESSERA_SANITIZE)
    add_library(failing_files MODULE support/failing_files.cpp)
    target_include_directories(failing_files PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(failing_files PRIVATE tessera_options ${CMAKE_DL_LIBS})
    set(failing_files $<TARGET_FILE:failing_files>)
endif()

file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/regression/*.sh
     ${CMAKE_CURRENT_SOURCE_DIR}/regression/*.py)

set(test_python "")
foreach(candidate python3 /usr/bin/python3)
    if(NOT test_python)
        execute_process(COMMAND ${candidate} -c "import numpy, h5py" RESULT_VARIABLE lacks_modules
                        OUTPUT_QUIET ERROR_QUIET)
        if(lacks_modules STREQUAL "0")
            set(test_python ${candidate})
        endif()
    endif()
endforeach()

set(longest 600) # s
if(TESSERA_SANITIZE)
    set(longest 7200)
endif()

# Most scripts wait half of their time for files, for messages or for one of their processes, so that two of them run at
# once. These count on answers in time, and have the machine for themselves.
set(alone early_signals queue_jobs resume_disks screen stuck)

set(chooser "")  # src/choose_program.cpp
if(TARGET choose_program)
    set(chooser $<TARGET_FILE:choose_program>)
endif()

foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    set(interpreter bash)
    if(script MATCHES "\\.py$")
        if(NOT test_python)
            message(WARNING "regression test ${name} is left out: no python3 with numpy and h5py")
            continue()
        endif()
        set(interpreter ${test_python})
    endif()
    add_test(NAME regression.${name} COMMAND ${interpreter} ${script} $<TARGET_FILE:tessera>)
    set_tests_properties(
        regression.${name} PROPERTIES LABELS regression TIMEOUT ${longest} SKIP_RETURN_CODE 77)
    if(name IN_LIST alone)
        set_tests_properties(regression.${name} PROPERTIES RUN_SERIAL ON)
    endif()
    set_property(
        TEST regression.${name}
        PROPERTY ENVIRONMENT
                 "TESSERA_MPIEXEC=${mpiexec_wrapper}"
                 "TESSERA_PYTHON=${test_python}"
                 "TESSERA_FAULTY=$<TARGET_FILE:tessera_faulty>"
                 "TESSERA_FAILING_FILES=${failing_files}"
                 "TESSERA_CHOOSER=${chooser}"
                 "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                 "OMP_WAIT_POLICY=passive"
                 ${mpi_environment})
endforeach()

foreach(name fit_recovery sample_calibration)  # skip unless they are asked for
    if(TEST regression.${name})
        set_tests_properties(regression.${name} PROPERTIES TIMEOUT 3600)
    endif()
endforeach()
