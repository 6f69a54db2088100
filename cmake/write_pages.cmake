# cmake -DPROGRAM=... -DFOLDER=... -P: PROGRAM writes the manual pages and completions into FOLDER.
# A program that does not start here (compiled for another machine, or for a GPU that is not there)
# leaves the installation without them.

execute_process(COMMAND ${PROGRAM} ${FOLDER} RESULT_VARIABLE code ERROR_VARIABLE problem)
if(NOT code STREQUAL "0")
    message(WARNING "no manual pages and completions (${PROGRAM} does not start here: ${code} ${problem}): "
                    "build on a machine that can run the program to have them")
endif()
file(WRITE ${FOLDER}/written "")
