#include "mpi/mailbox.hpp"

#include <chrono>
#include <thread>

namespace tessera::mpi {

namespace {

constexpr int mail_tag = 2;
constexpr auto between_mail_looks = std::chrono::microseconds(200);

bool is_done(MPI_Request& request) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
}

}  // namespace

void Mailbox::send(int destination, std::vector<std::byte> message) {
    Sending& sending = sending_.emplace_back();
    sending.message = std::move(message);
    check(MPI_Issend(sending.message.data(), static_cast<int>(sending.message.size()), MPI_BYTE,
                     destination, mail_tag, world_.handle(), &sending.request),
          "MPI_Issend");
}

void Mailbox::poll(const Receive& receive) {
    std::vector<std::byte> message;
    while (true) {
        int arrived = 0, bytes = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, mail_tag, world_.handle(), &arrived, &status),
              "MPI_Iprobe");
        if (!arrived) break;
        check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        message.resize(static_cast<std::size_t>(bytes));
        check(MPI_Recv(message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, mail_tag,
                       world_.handle(), MPI_STATUS_IGNORE),
              "MPI_Recv");
        receive(status.MPI_SOURCE, message);
    }
    sending_.remove_if([](Sending& sending) { return is_done(sending.request); });
}

void Mailbox::finish(const Receive& receive, const std::function<void()>& meanwhile) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (bool entered = false; !entered || !is_done(barrier);) {
        poll(receive);
        if (meanwhile) meanwhile();
        if (!entered && sending_.empty()) {
            check(MPI_Ibarrier(world_.handle(), &barrier), "MPI_Ibarrier");
            entered = true;
        }
        std::this_thread::sleep_for(between_mail_looks);
    }
}

}  // namespace tessera::mpi
