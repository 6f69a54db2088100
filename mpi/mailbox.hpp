// Messages between ranks that compute meanwhile. Sending does not wait; poll() receives.
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
    /// Called for each message with its sender. It may send (but not during finish()) and must not
    /// poll.
    using Receive = std::function<void(int source, std::span<const std::byte> message)>;

    /// Collective.
    explicit Mailbox(const Communicator& communicator) : world_(communicator.duplicate()) {}
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Local. Keeps the message until the receiver has it. At most 2 GiB.
    void send(int destination, std::vector<std::byte> message);
    /// Local. Hands over the messages that have arrived and drops those that others have received.
    void poll(const Receive& receive);

    /// Collective. Returns when every message of every rank has been handed over. It uses the
    /// consensus of Hoefler, Siebert & Lumsdaine (2010): a rank enters a barrier once its own
    /// synchronous sends have been received. `meanwhile` is called repeatedly and must not send. If
    /// a rank never calls finish(), the others wait for ever, as in any collective.
    void finish(const Receive& receive, const std::function<void()>& meanwhile = {});

  private:
    struct Sending {
        std::vector<std::byte> message;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    Communicator world_;
    std::list<Sending> sending_;  ///< a list, because the addresses must not change
};

}  // namespace tessera::mpi
