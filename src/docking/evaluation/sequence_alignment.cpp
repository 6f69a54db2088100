#include "docking/evaluation/sequence_alignment.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera::docking {
namespace {

constexpr float identical_score = 5, different_score = -4, gap_open = -10, gap_extend = -0.5f;

/// Gotoh's three states: a cell ends in a pair, a gap in b, or a gap in a.
enum State : std::uint8_t { pair_state, gap_in_b, gap_in_a, state_count };

/// The scores of all cells, and for each cell the state that it came from.
class AlignmentTable {
  public:
    AlignmentTable(const std::vector<std::string>& a, const std::vector<std::string>& b)
        : columns_(b.size() + 1),
          score_(state_count * (a.size() + 1) * columns_, -1e9f),
          from_(score_.size(), pair_state) {
        // Gaps at the ends are free: unbound chains often lack or add terminal residues.
        for (std::size_t i = 0; i <= a.size(); ++i) score(pair_state, i, 0) = 0;
        for (std::size_t j = 0; j <= b.size(); ++j) score(pair_state, 0, j) = 0;
        for (std::size_t i = 1; i <= a.size(); ++i)
            for (std::size_t j = 1; j <= b.size(); ++j) fill(i, j, a[i - 1] == b[j - 1]);
    }

    float& score(State s, std::size_t i, std::size_t j) { return score_[index(s, i, j)]; }
    State from(State s, std::size_t i, std::size_t j) const {
        return static_cast<State>(from_[index(s, i, j)]);
    }

  private:
    std::size_t index(State s, std::size_t i, std::size_t j) const {
        return (i * columns_ + j) * state_count + s;
    }

    void fill(std::size_t i, std::size_t j, bool identical) {
        set(pair_state, i, j, i - 1, j - 1,
            [&](State) { return identical ? identical_score : different_score; });
        set(gap_in_b, i, j, i - 1, j,
            [](State s) { return s == gap_in_b ? gap_extend : gap_open; });
        set(gap_in_a, i, j, i, j - 1,
            [](State s) { return s == gap_in_a ? gap_extend : gap_open; });
    }

    template <class Step>
    void set(State to, std::size_t i, std::size_t j, std::size_t from_i, std::size_t from_j,
             Step&& step) {
        for (const State s : {pair_state, gap_in_b, gap_in_a}) {
            const float candidate = score(s, from_i, from_j) + step(s);
            if (candidate <= score(to, i, j)) continue;
            score(to, i, j) = candidate;
            from_[index(to, i, j)] = s;
        }
    }

    std::size_t columns_;
    std::vector<float> score_;
    std::vector<std::uint8_t> from_;
};

}  // namespace

IndexPairs align_sequences(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    AlignmentTable table(a, b);
    // The best cell of the last row or column. A free end gap follows it.
    std::size_t i = a.size(), j = b.size();
    float best = table.score(pair_state, i, j);
    const auto consider = [&](std::size_t row, std::size_t column) {
        if (table.score(pair_state, row, column) <= best) return;
        best = table.score(pair_state, row, column);
        i = row;
        j = column;
    };
    for (std::size_t row = 0; row <= a.size(); ++row) consider(row, b.size());
    for (std::size_t column = 0; column <= b.size(); ++column) consider(a.size(), column);

    IndexPairs pairs;
    State state = pair_state;
    while (i > 0 && j > 0) {
        const State previous = table.from(state, i, j);
        if (state == pair_state) pairs.emplace_back(i - 1, j - 1);
        if (state != gap_in_a) --i;
        if (state != gap_in_b) --j;
        state = previous;
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace tessera::docking
