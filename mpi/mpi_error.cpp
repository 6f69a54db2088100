#include "mpi/mpi_error.hpp"

#include <mpi.h>

#include <array>
#include <new>
#include <string_view>
#include <system_error>

namespace tessera::mpi {

void check(int code, const char* call, const std::source_location& where) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
    const std::string why = length > 0 ? std::string(text.data(), static_cast<std::size_t>(length))
                                       : "MPI error code " + std::to_string(code);
    std::string_view file = where.file_name();
    if (const auto slash = file.rfind('/'); slash != std::string_view::npos)
        file.remove_prefix(slash + 1);
    throw Error(std::string(call) + " failed at " + std::string(file) + ":" +
                    std::to_string(where.line()),
                why, "check the MPI installation and that all ranks are alive", ExitCode::internal);
}

Failure describe(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return {error.what(), error.code()};
    } catch (const std::bad_alloc&) {
        return {"out of memory (the host has none left): use fewer ranks on a node or a "
                "smaller problem",
                ExitCode::resources};
    } catch (const std::system_error& error) {  // mostly from files and folders
        return {"the operating system refused a request (" + std::string(error.what()) +
                    "): check the disk and start the same command again",
                ExitCode::resources};
    } catch (const std::exception& error) {
        return {"unexpected failure (" + std::string(error.what()) +
                    "): please report it with the command line",
                ExitCode::internal};
    } catch (...) {
        return {"unexpected failure (unknown exception): please report it with the command line",
                ExitCode::internal};
    }
}

}  // namespace tessera::mpi
