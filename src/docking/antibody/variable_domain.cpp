#include "docking/antibody/variable_domain.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tessera::docking {
namespace {

constexpr std::size_t shortest_domain = 60;

/// The cost of a letter more than the numbering has places, after this position. Long CDR 3 are
/// common, other insertions are rare. Negative: no letter may come here.
double insertion_cost(int position) {
    if (position == 111) return 0.05;
    if (position == 33 || position == 60) return 6;
    return position >= 67 && position <= 103 ? 4 : -1;
}

double score_of(const AntibodyProfile::Position& position, char letter) {
    if (letter >= 'A' && letter <= 'Z') return position.score[letter - 'A'];
    return position.framework ? -1.0 : 0.0;
}

/// Best scores by dynamic programming: the sequence's ends are free, the profile is used from its
/// first position to its last. Scores are sums in the order of the positions.
class DomainAlignment {
  public:
    DomainAlignment(std::string_view sequence, const AntibodyProfile& profile)
        : columns_(sequence.size() + 1), score_(columns_, 0.0) {
        for (int p = 1; p <= imgt_positions; ++p) {
            match(sequence, profile.positions[p]);
            if (insertion_cost(p) >= 0) insert(insertion_cost(p));
        }
    }

    VariableDomain best(const std::string& kind, std::size_t offset) const {
        const auto last = std::max_element(score_.begin(), score_.end());
        auto i = static_cast<std::uint32_t>(last - score_.begin());
        VariableDomain domain{kind, *last, 0, {}};
        for (int p = imgt_positions; p > 0; --p) {
            const std::uint32_t before = origin_[(p - 1) * columns_ + i];
            domain.positions.insert(domain.positions.end(), i - before, p);
            i = before;
        }
        std::ranges::reverse(domain.positions);
        domain.begin = offset + i;
        return domain;
    }

  private:
    /// score_[i] becomes the best score of using i letters up to this position.
    void match(std::string_view sequence, const AntibodyProfile::Position& position) {
        const std::size_t row = origin_.size();
        origin_.resize(row + columns_);
        for (std::size_t i = columns_; i-- > 0;) {
            const double skipped = score_[i] - position.gap;
            const double taken =
                i == 0 ? skipped : score_[i - 1] + score_of(position, sequence[i - 1]);
            const bool take = i > 0 && taken > skipped;
            score_[i] = take ? taken : skipped;
            origin_[row + i] = static_cast<std::uint32_t>(take ? i - 1 : i);
        }
    }

    /// Any number of letters more at this position.
    void insert(double cost) {
        const std::size_t row = origin_.size() - columns_;
        for (std::size_t i = 1; i < columns_; ++i) {
            if (score_[i - 1] - cost <= score_[i]) continue;
            score_[i] = score_[i - 1] - cost;
            origin_[row + i] = origin_[row + i - 1];
        }
    }

    std::size_t columns_;
    std::vector<double> score_;
    std::vector<std::uint32_t> origin_;  ///< [position][i]: letters used before this position
};

/// Finds the best domain between two places, and then what lies before and after it.
void find_between(std::string_view sequence, std::size_t begin, std::size_t end,
                  const std::vector<AntibodyProfile>& profiles,
                  std::vector<VariableDomain>& domains) {
    if (end - begin < shortest_domain) return;
    VariableDomain best;
    for (const AntibodyProfile& profile : profiles) {
        const DomainAlignment alignment(sequence.substr(begin, end - begin), profile);
        VariableDomain domain = alignment.best(profile.name, begin);
        if (domain.score > best.score) best = std::move(domain);
    }
    if (best.score < least_domain_score) return;
    find_between(sequence, begin, best.begin, profiles, domains);
    const std::size_t after = best.end();
    domains.push_back(std::move(best));
    find_between(sequence, after, end, profiles, domains);
}

}  // namespace

std::vector<VariableDomain> find_variable_domains(const std::string& sequence,
                                                  const std::vector<AntibodyProfile>& profiles) {
    std::vector<VariableDomain> domains;
    find_between(sequence, 0, sequence.size(), profiles, domains);
    return domains;
}

}  // namespace tessera::docking
