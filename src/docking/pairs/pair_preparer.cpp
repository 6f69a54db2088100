#include "docking/pairs/pair_preparer.hpp"

#include <chrono>

#include "docking/pairs/host_threads.hpp"

namespace tessera::docking {

void PairPreparer::request(int index) {
    if (index_ == index) return;
    index_ = index;
    result_ = worker_.run([this, index, former = former_]() -> Prepared {
        use_threads(threads_);
        const DockInput input = pairs_.pair(static_cast<std::size_t>(index)).input;
        return std::make_shared<PreparedDocking>(prepare(input, rotations_, former.get()));
    });
}

bool PairPreparer::ready() const {
    return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::shared_ptr<const PreparedDocking> PairPreparer::take() {
    index_.reset();
    former_ = result_.get();
    return former_;
}

}  // namespace tessera::docking
