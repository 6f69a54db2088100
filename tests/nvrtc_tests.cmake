# The kernel that bench_orbital generates, compiled by NVRTC without a GPU. The host build takes NVRTC from a CUDA
# toolkit if there is one. Without it the test says so and is skipped.
find_package(CUDAToolkit QUIET)
add_executable(tests_generated_kernel bench/test_generated_kernel.cpp ${PROJECT_SOURCE_DIR}/bench/orbital/generated_source.cpp
                                      ${PROJECT_SOURCE_DIR}/bench/orbital/paper_arrays.cpp)
target_link_libraries(tests_generated_kernel PRIVATE tests_support tessera_orbitals GTest::gtest_main)
if(TESSERA_ENABLE_NVRTC AND TARGET CUDA::nvrtc)
    target_link_libraries(tests_generated_kernel PRIVATE CUDA::nvrtc)
    target_compile_definitions(tests_generated_kernel PRIVATE TESSERA_TEST_NVRTC)
endif()
gtest_discover_tests(
    tests_generated_kernel
    TEST_PREFIX bench.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT "${test_environment}")
