#include "io/proteins/complex.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.hpp"

namespace tessera::io {

namespace {

constexpr std::string_view chain_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool is_letter_or_digit(char c) { return chain_letters.find(c) != std::string_view::npos; }

// Single letters come first, then pairs, which a PDB file has in columns 21 and 22.
std::string free_name(const std::set<std::string>& taken, const std::string& path) {
    for (const char letter : chain_letters)
        if (!taken.contains(std::string(1, letter))) return std::string(1, letter);
    for (const char first : chain_letters)
        for (const char second : chain_letters)
            if (const std::string pair{first, second}; !taken.contains(pair)) return pair;
    throw Error("cannot write '" + path + "'", "more than 3900 chains", "write fewer chains");
}

}  // namespace

std::vector<std::string> chains_of(const Structure& structure) {
    std::vector<std::string> chains;
    for (const AtomRecord& atom : structure.atoms)
        if ((chains.empty() || atom.chain != chains.back()) &&
            std::find(chains.begin(), chains.end(), atom.chain) == chains.end())
            chains.push_back(atom.chain);
    return chains;
}

ChainPlan plan_chains(const std::vector<ComplexPart>& parts, const ChainRules& rules,
                      const std::string& path) {
    for (const ComplexPart& part : parts)
        if (!part.positions.empty() && part.positions.size() != part.structure->atoms.size())
            throw Error("cannot write '" + path + "'", "the numbers of positions and atoms differ",
                        "please report this", ExitCode::internal);
    ChainPlan plan;
    std::set<std::string> taken;
    const auto may_stay = [&](const std::string& chain) {
        return chain.size() <= rules.longest && (rules.blank || !chain.empty()) &&
               (rules.any || std::ranges::all_of(chain, is_letter_or_digit));
    };
    // Names that can stay are assigned before any free letter.
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const std::string& chain : chains_of(*parts[p].structure))
            if (may_stay(chain) && taken.insert(chain).second) plan.names[{p, chain}] = chain;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const std::string& chain : chains_of(*parts[p].structure))
            if (!plan.names.contains({p, chain})) {
                const std::string name = free_name(taken, path);
                taken.insert(name);
                plan.names[{p, chain}] = name;
                plan.remarks.push_back("chain " + (chain.empty() ? "(blank)" : chain) + " of the " +
                                       (parts[p].name.empty() ? "partner" : parts[p].name) +
                                       " is chain " + name + " here");
            }
    return plan;
}

}  // namespace tessera::io
