# Language standard, warnings and sanitizers. What must hold for Kokkos too (standard, CPU
# architecture, sanitizers) is set for the whole tree; warnings only for our own targets.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(TESSERA_PAGES_DIR ${PROJECT_BINARY_DIR}/pages)

# An installed program finds the libraries that it was linked with, wherever modules have put them.
if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
    set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(TESSERA_SANITIZE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TESSERA_SANITIZE}>
                        $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
    add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

if(TESSERA_ENABLE_CUDA)
    include(cuda)
endif()

# A portable program. Kokkos is compiled for the same processors: its functions are inlined into ours.
if(TESSERA_CPU)
    if(NOT TESSERA_CPU MATCHES "^x86-64(-v3|-v4)?$" OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        message(FATAL_ERROR "TESSERA_CPU=${TESSERA_CPU} is no level of a ${CMAKE_SYSTEM_PROCESSOR}: give x86-64, "
                            "x86-64-v3 or x86-64-v4, or leave it empty")
    endif()
    set(TESSERA_NATIVE OFF)
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-march=${TESSERA_CPU}>
                        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${TESSERA_CPU}>)
endif()

# Every target of ours links this one.
add_library(tessera_options INTERFACE)
target_compile_options(
    tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wno-missing-field-initializers>
                              $<$<AND:$<BOOL:${TESSERA_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlapping copies in "text" + std::string that are not there (GCC bug 105651).
    target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(TESSERA_SANITIZE MATCHES "undefined")
    # Half of the compiler's time went into these three. A null pointer ends the program without them, too.
    target_compile_options(
        tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,vptr,alignment>)
endif()
if(TESSERA_NATIVE)
    target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()
