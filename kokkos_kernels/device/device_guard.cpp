#include "kokkos_kernels/device/device_guard.hpp"

#include <cxxabi.h>
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "core/tile_fault.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

std::atomic<bool> lost{false};

/// Where to continue after an abort. It is set on the one thread that is inside survives_abort().
thread_local sigjmp_buf* way_out = nullptr;
thread_local bool (*abort_is_expected)() = nullptr;

/// SIGABRT is the one signal whose handler POSIX lets leave by a jump. On other threads, and for
/// other causes, the handler returns, and abort() goes on to end the process.
void leave_abort(int) {
    if (way_out && abort_is_expected()) siglongjmp(*way_out, 1);
}

class AbortHandler {
  public:
    AbortHandler() {
        struct sigaction action = {};
        action.sa_handler = &leave_abort;
        sigemptyset(&action.sa_mask);
        sigaction(SIGABRT, &action, &former_);
    }
    ~AbortHandler() { sigaction(SIGABRT, &former_, nullptr); }
    AbortHandler(const AbortHandler&) = delete;
    AbortHandler& operator=(const AbortHandler&) = delete;

  private:
    struct sigaction former_ = {};
};

/// Asks the device. Recoverable CUDA errors are reset here. An error that is still there afterwards
/// is permanent.
bool find_device_lost() {
    if (pretended_faults().lost.load()) return true;
#ifdef KOKKOS_ENABLE_CUDA
    cudaGetLastError();
    return cudaDeviceSynchronize() != cudaSuccess && cudaGetLastError() != cudaSuccess &&
           cudaDeviceSynchronize() != cudaSuccess;
#else
    return false;
#endif
}

[[noreturn]] void throw_lost() {
    lost = true;
    throw DeviceLost(reason_of_loss());
}

bool contains_any(const std::string& text, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return text.find(word) != std::string::npos; });
}

/// Call it within the handler of `failure`. Kokkos reports everything by one type and a text.
[[noreturn]] void throw_translated(const std::runtime_error& failure) {
    const std::string text = failure.what();
    if (contains_any(text, {"MemoryAllocation", "llocation failed", "failed to allocate"}))
        throw TileFailure(TileFailure::Reason::out_of_memory, text);
    if (contains_any(text, {"cuda", "Cuda", "CUDA"}))
        throw TileFailure(TileFailure::Reason::device_error, text);
    throw;
}

/// Where the runtime counts a thread's exceptions (Itanium C++ ABI, 2.2.2). If an exception was in
/// flight when the work aborted, nobody catches it. std::uncaught_exceptions() would then count it
/// forever.
struct ExceptionsOfThread {
    void* caught;
    unsigned int uncaught;
};
ExceptionsOfThread* exceptions_of_thread() {
    return reinterpret_cast<ExceptionsOfThread*>(abi::__cxa_get_globals());
}

}  // namespace

bool device_is_lost() { return lost.load(); }

std::string reason_of_loss() {
#ifdef KOKKOS_ENABLE_CUDA
    if (!pretended_faults().lost.load()) return cudaGetErrorString(cudaDeviceSynchronize());
#endif
    return "it was pretended";
}

void end_device(std::unique_ptr<DeviceRuntime> runtime) {
    runtime.reset();
    lost = true;
}

bool survives_abort(const std::function<void()>& work, bool (*expected)()) {
    const AbortHandler handler;
    ExceptionsOfThread* const exceptions = exceptions_of_thread();
    const ExceptionsOfThread before = *exceptions;
    sigjmp_buf here;
    // Saves the signal mask. abort() leaves SIGABRT unblocked, and the handler's own blocking must
    // end too.
    if (sigsetjmp(here, 1) != 0) {
        way_out = nullptr;
        *exceptions = before;
        return false;
    }
    way_out = &here;
    abort_is_expected = expected;
    try {
        work();
    } catch (...) {
        way_out = nullptr;
        throw;
    }
    way_out = nullptr;
    return true;
}

void guard_device(const std::function<void()>& work) {
    if (lost.load()) throw_lost();
    std::exception_ptr failure;
    try {
        if (survives_abort(work, &find_device_lost)) return;
        throw_lost();
    } catch (...) {
        failure = std::current_exception();
    }
    if (lost.load() || find_device_lost()) throw_lost();
    try {
        std::rethrow_exception(failure);
    } catch (const Error&) {
        throw;
    } catch (const TileFailure&) {
        throw;
    } catch (const std::runtime_error& other) {
        throw_translated(other);
    }
}

}  // namespace tessera::kernels
