# The job scripts on a real Slurm that the test starts and stops. Mostly waiting: a time limit is
# looked at every half minute.
if(test_python)
    add_test(NAME slurm.job_scripts COMMAND ${test_python} ${CMAKE_CURRENT_SOURCE_DIR}/slurm/job_scripts.py
                                            $<TARGET_FILE:tessera>)
    set_tests_properties(
        slurm.job_scripts
        PROPERTIES LABELS slurm TIMEOUT 900 SKIP_RETURN_CODE 77 RUN_SERIAL ON
                   ENVIRONMENT "TESSERA_MPIEXEC=${mpiexec_wrapper};TESSERA_FAULTY=$<TARGET_FILE:tessera_faulty>;OMP_WAIT_POLICY=passive")
endif()
