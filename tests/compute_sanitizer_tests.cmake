# CUDA kernels under NVIDIA's compute-sanitizer: `ctest --preset cuda-sanitizer`.
if(TESSERA_ENABLE_CUDA)
    foreach(tool memcheck racecheck synccheck)
        add_test(NAME compute_sanitizer.${tool}
                 COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/support/compute_sanitizer.sh ${tool}
                         $<TARGET_FILE:tests_kernels>)
        set_tests_properties(
            compute_sanitizer.${tool} PROPERTIES LABELS compute-sanitizer TIMEOUT 1800 SKIP_RETURN_CODE 77
                                                 RUN_SERIAL ON ENVIRONMENT "${test_environment}")
    endforeach()
endif()
