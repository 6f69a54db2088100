# Every header compiles by itself, and may be included twice: one small source a header. Headers
# that include Kokkos (seconds each) share one source.
set(generated_dir ${CMAKE_CURRENT_BINARY_DIR}/headers)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/src/*.hpp ${PROJECT_SOURCE_DIR}/io/*.hpp ${PROJECT_SOURCE_DIR}/mpi/*.hpp
     ${PROJECT_SOURCE_DIR}/kokkos_kernels/*.hpp)

set(light_sources)
set(kokkos_includes "")
foreach(header IN LISTS headers)
    string(REGEX REPLACE "^src/" "" include_path ${header})
    set(twice "#include \"${include_path}\"\n#include \"${include_path}\"\n")
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} heavy
         REGEX "#include.*(Kokkos_|kokkos_kernels/views\\.hpp)")
    if(heavy)
        string(APPEND kokkos_includes ${twice})
    else()
        string(MAKE_C_IDENTIFIER ${include_path} name)
        file(CONFIGURE OUTPUT ${generated_dir}/${name}.cpp CONTENT "${twice}" @ONLY)
        list(APPEND light_sources ${generated_dir}/${name}.cpp)
    endif()
endforeach()

add_library(check_headers OBJECT ${light_sources})
target_link_libraries(check_headers PRIVATE tests_support tessera_docking tessera_mpi tessera_io)
target_compile_options(check_headers PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
if(kokkos_includes)
    set(kokkos_source ${generated_dir}/with_kokkos.cpp)
    file(CONFIGURE OUTPUT ${kokkos_source} CONTENT "${kokkos_includes}" @ONLY)
    tessera_kokkos_sources(${kokkos_source})
    target_sources(check_headers PRIVATE ${kokkos_source})
    target_link_libraries(check_headers PRIVATE Kokkos::kokkos FFTW3::fftw3f)
endif()
