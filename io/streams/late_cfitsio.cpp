// The functions of cfitsio that are called, each of which calls its namesake in the library. The
// library is loaded when a FITS file is read for the first time. If the program were linked with
// it, every start would load it with libcurl and thirty other libraries, which takes three quarters
// of the time of `tessera --version`. Empty where the program is linked with cfitsio.
#ifdef TESSERA_CFITSIO_NAME

#include <dlfcn.h>
#include <fitsio.h>

#include <array>
#include <string>

#include "core/error.hpp"

namespace {

void* load_cfitsio() {
    for (const char* name : std::array{TESSERA_CFITSIO_NAME, TESSERA_CFITSIO_PATH})
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    return nullptr;
}

[[noreturn]] void refuse(const std::string& why) {
    throw tessera::Error("FITS files cannot be read", why,
                         std::string("install ") + TESSERA_CFITSIO_NAME +
                             " (Debian: libcfitsio10), or export the table as ECSV or CSV");
}

/// The function of the library with this name. `shape`: the one of the same name here.
template <typename Function>
Function* in_cfitsio(Function* /*shape*/, const char* name) {
    static void* const library = load_cfitsio();
    if (!library) refuse(std::string(TESSERA_CFITSIO_NAME) + " cannot be loaded");
    auto* function = reinterpret_cast<Function*>(dlsym(library, name));
    if (!function) refuse(std::string(TESSERA_CFITSIO_NAME) + " has no " + name);
    return function;
}

}  // namespace

extern "C" {

int ffomem(fitsfile** file, const char* name, int mode, void** buffer, std::size_t* size,
           std::size_t step, void* (*enlarge)(void*, std::size_t), int* status) {
    return in_cfitsio(&ffomem, "ffomem")(file, name, mode, buffer, size, step, enlarge, status);
}

int ffclos(fitsfile* file, int* status) { return in_cfitsio(&ffclos, "ffclos")(file, status); }

int ffthdu(fitsfile* file, int* units, int* status) {
    return in_cfitsio(&ffthdu, "ffthdu")(file, units, status);
}

int ffmahd(fitsfile* file, int unit, int* type, int* status) {
    return in_cfitsio(&ffmahd, "ffmahd")(file, unit, type, status);
}

int ffgncl(fitsfile* file, int* columns, int* status) {
    return in_cfitsio(&ffgncl, "ffgncl")(file, columns, status);
}

int ffgnrwll(fitsfile* file, LONGLONG* rows, int* status) {
    return in_cfitsio(&ffgnrwll, "ffgnrwll")(file, rows, status);
}

int ffgtclll(fitsfile* file, int column, int* type, LONGLONG* repeat, LONGLONG* width,
             int* status) {
    return in_cfitsio(&ffgtclll, "ffgtclll")(file, column, type, repeat, width, status);
}

int ffgcv(fitsfile* file, int type, int column, LONGLONG row, LONGLONG element, LONGLONG count,
          void* empty, void* values, int* any_empty, int* status) {
    return in_cfitsio(&ffgcv, "ffgcv")(file, type, column, row, element, count, empty, values,
                                       any_empty, status);
}

int ffgky(fitsfile* file, int type, const char* keyword, void* value, char* comment, int* status) {
    return in_cfitsio(&ffgky, "ffgky")(file, type, keyword, value, comment, status);
}

int ffghadll(fitsfile* file, LONGLONG* header, LONGLONG* begin, LONGLONG* end, int* status) {
    return in_cfitsio(&ffghadll, "ffghadll")(file, header, begin, end, status);
}

void ffgerr(int status, char* text) { in_cfitsio(&ffgerr, "ffgerr")(status, text); }

void ffcmsg() { in_cfitsio(&ffcmsg, "ffcmsg")(); }

}  // extern "C"

#endif
