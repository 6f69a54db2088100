# Scripts that run the whole program. First argument: its path. TESSERA_MPIEXEC starts ranks:
# "$TESSERA_MPIEXEC" -n 2 "$1" dock ...
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/regression/*.sh
     ${CMAKE_CURRENT_SOURCE_DIR}/regression/*.py)
find_package(Python3 QUIET COMPONENTS Interpreter)
foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    if(script MATCHES "\\.py$")
        set(interpreter ${Python3_EXECUTABLE})
    else()
        set(interpreter bash)
    endif()
    add_test(NAME regression.${name} COMMAND ${interpreter} ${script} $<TARGET_FILE:tessera>)
    set_tests_properties(
        regression.${name}
        PROPERTIES LABELS regression TIMEOUT 600 SKIP_RETURN_CODE 77 RUN_SERIAL ON
                   ENVIRONMENT "TESSERA_MPIEXEC=${mpiexec_wrapper};TESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR};OMP_WAIT_POLICY=passive")
endforeach()
