# tests/{bench,docs,potentials}/test_*.py: Python's unittest on the scripts of the repository. Those of bench/ have the
# program's path as argument. They skip (exit 77) where a module is missing that a script needs.
file(GLOB script_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/test_*.py
     ${CMAKE_CURRENT_SOURCE_DIR}/docs/test_*.py ${CMAKE_CURRENT_SOURCE_DIR}/potentials/test_*.py)

set(script_python python3)
if(test_python)
    set(script_python ${test_python})
endif()

foreach(script IN LISTS script_tests)
    cmake_path(GET script PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    cmake_path(GET script STEM name)
    set(program "")
    if(folder STREQUAL "bench")
        set(program $<TARGET_FILE:tessera>)
    endif()
    add_test(NAME ${folder}.${name} COMMAND ${script_python} ${script} ${program})
    set_tests_properties(
        ${folder}.${name} PROPERTIES LABELS regression TIMEOUT ${longest} SKIP_RETURN_CODE 77)
    set_property(TEST ${folder}.${name} PROPERTY ENVIRONMENT "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                                                 "OMP_WAIT_POLICY=passive" ${mpi_environment})
endforeach()

# docs/: the commands of README.md and docs/guide, typed one after the other, and the page of all options.
foreach(name run_guides options_page)
    add_test(NAME docs.${name} COMMAND ${script_python} ${CMAKE_CURRENT_SOURCE_DIR}/docs/${name}.py $<TARGET_FILE:tessera>)
    set_tests_properties(
        docs.${name} PROPERTIES LABELS "docs;regression" TIMEOUT ${longest} SKIP_RETURN_CODE 77 RUN_SERIAL ON)
    set_property(TEST docs.${name} PROPERTY ENVIRONMENT "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                                            "OMP_WAIT_POLICY=passive" ${mpi_environment})
endforeach()
