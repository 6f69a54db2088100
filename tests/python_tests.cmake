# tests/{bench,boinc,docs,packaging,potentials}/test_*.py: Python's unittest on the scripts of the repository. Those of
# bench/ have the program's path as argument. They skip (exit 77) where a module is missing that a script needs.
file(GLOB script_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/test_*.py
     ${CMAKE_CURRENT_SOURCE_DIR}/boinc/test_*.py
     ${CMAKE_CURRENT_SOURCE_DIR}/docs/test_*.py ${CMAKE_CURRENT_SOURCE_DIR}/packaging/test_*.py
     ${CMAKE_CURRENT_SOURCE_DIR}/potentials/test_*.py)

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
        docs.${name} PROPERTIES LABELS "docs;regression" TIMEOUT ${longest} SKIP_RETURN_CODE 77)
    set_property(TEST docs.${name} PROPERTY ENVIRONMENT "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                                            "OMP_WAIT_POLICY=passive" ${mpi_environment})
endforeach()

# python/: the package. Its tests run with the Python of scripts/python_packages, and skip (77) where a package or the
# module is missing.
set(package_python ${script_python})
if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/python/complete)
    set(package_python ${PROJECT_SOURCE_DIR}/.deps/python/bin/python)
endif()
set(package_dir ${PROJECT_SOURCE_DIR}/python)
if(TESSERA_ENABLE_PYTHON)
    set(package_dir ${PROJECT_BINARY_DIR}/python)
endif()
file(GLOB package_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/test_*.py)
foreach(script IN LISTS package_tests)
    cmake_path(GET script STEM name)
    add_test(NAME python.${name} COMMAND ${package_python} ${script} $<TARGET_FILE:tessera>)
    set_tests_properties(
        python.${name} PROPERTIES LABELS regression TIMEOUT ${longest} SKIP_RETURN_CODE 77)
    set_property(TEST python.${name} PROPERTY ENVIRONMENT "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                                              "PYTHONPATH=${package_dir}" "OMP_NUM_THREADS=${test_threads}"
                                              "OMP_WAIT_POLICY=passive" ${mpi_environment})
endforeach()

# docs/guide/python.md imports the module. In docs.run_guides, which runs all pages, those blocks are skipped.
if(TESSERA_ENABLE_PYTHON)
    add_test(NAME docs.python_guide COMMAND ${package_python} ${CMAKE_CURRENT_SOURCE_DIR}/docs/run_guides.py
                                            $<TARGET_FILE:tessera> python)
    set_tests_properties(
        docs.python_guide PROPERTIES LABELS "docs;regression" TIMEOUT ${longest} SKIP_RETURN_CODE 77)
    set_property(TEST docs.python_guide PROPERTY ENVIRONMENT "TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                                                 "PYTHONPATH=${package_dir}" "OMP_WAIT_POLICY=passive"
                                                 ${mpi_environment})
endif()
