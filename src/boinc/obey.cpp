#include "boinc/obey.hpp"

namespace tessera::boinc {

void obey(const Control& control) {
    Requests now = control.asked();
    while (now.suspended && !now.ended) {
        control.wait();
        now = control.asked();
    }
    if (now.ended) control.stop();
}

}  // namespace tessera::boinc
