// Messages of bytes between ranks that compute meanwhile: sent without waiting, received when asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"

namespace tessera::mpi {

class Mailbox {
  public:
    /// Called for each message with its sender; may send (but not during finish()), must not poll.
    using Receive = std::function<void(int source, std::span<const std::byte> message)>;

    /// Collective.
    explicit Mailbox(const Communicator& communicator) : world_(communicator.duplicate()) {}
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Local: keeps the message until the other rank has it. At most 2 GiB.
    void send(int destination, std::vector<std::byte> message);
    /// Local: hands over what has arrived and forgets what others have got.
    void poll(const Receive& receive);

    /// Collective: ends when every message sent by any rank has been handed over. The consensus of
    /// Hoefler, Siebert & Lumsdaine (2010): a barrier that a rank enters once its own sends, which
    /// are synchronous, have been received. `meanwhile` is called again and again; it must not send. A rank that never
    /// comes leaves the others waiting, as with any collective.
    void finish(const Receive& receive, const std::function<void()>& meanwhile = {});

  private:
    struct Sending {
        std::vector<std::byte> message;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    Communicator world_;
    std::list<Sending> sending_;  ///< addresses must stay
};

}  // namespace tessera::mpi
