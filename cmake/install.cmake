# `cmake --install`: the program, its data, the job scripts, the core headers, and a package that finds them.
# TESSERA_PAGES_DIR and the search path of libraries are set before the targets, in compile_options.cmake.

include(CMakePackageConfigHelpers)
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/tessera)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera
        PATTERN README.md EXCLUDE)
# The viewer of `tessera report`, if scripts/viewer has fetched it.
set(fetched_data_dir ${PROJECT_SOURCE_DIR}/.deps/data)
if(NOT EXISTS ${fetched_data_dir}/report/viewer_library.js)
    message(STATUS "no 3-D viewer for tessera report: run scripts/viewer to have it")
endif()
install(DIRECTORY ${fetched_data_dir}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/jobscripts DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
        FILES_MATCHING PATTERN *.hpp)

if(TESSERA_CPU)  # scripts/package puts programs for several processors beside each other
    if(TESSERA_ENABLE_CUDA)
        install(TARGETS tessera RUNTIME DESTINATION libexec/tessera/cuda COMPONENT program)
    else()
        install(TARGETS tessera RUNTIME DESTINATION libexec/tessera/${TESSERA_CPU} COMPONENT program)
    endif()
    install(TARGETS choose_program tessera_core EXPORT tesseraTargets)
else()
    install(TARGETS tessera tessera_core EXPORT tesseraTargets)
endif()
if(TESSERA_ENABLE_BOINC)
    install(TARGETS tessera_boinc)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/boinc DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera
            USE_SOURCE_PERMISSIONS)
endif()
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${config_dir})

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
    INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake DESTINATION ${config_dir})

# What a user of an installed program needs besides: scripts that draw, files to try, the pages, the licence.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/postprocess
        DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/guide ${PROJECT_SOURCE_DIR}/docs/reference
                  ${PROJECT_SOURCE_DIR}/docs/method ${PROJECT_SOURCE_DIR}/docs/images
        DESTINATION ${doc_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${doc_dir})

# Manual pages and completions. They are missing where the build could not run the program.
install(DIRECTORY ${TESSERA_PAGES_DIR}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${TESSERA_PAGES_DIR}/tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${TESSERA_PAGES_DIR}/_tessera DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES ${TESSERA_PAGES_DIR}/tessera.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
