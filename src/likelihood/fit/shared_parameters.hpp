// The parameters that streams of several wedges share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// What is shared, by the settings of the wedges. Parameters of streams have a common name then,
/// such as "sagittarius.sigma".
class SharedParameters {
  public:
    /// Throws Error if a wedge has no such parameter, or if no other wedge shares it. `models` and
    /// `files` must outlive the object.
    SharedParameters(std::span<const StreamModel> models, std::span<const io::FitSettings> settings,
                     std::span<const std::string> files);

    /// The common name of "stream1.sigma" in a wedge.
    std::optional<std::string> common_name(std::size_t wedge, const std::string& parameter) const;
    /// The name that a common name stands for in a wedge.
    std::optional<std::string> name_in(std::size_t wedge, const std::string& common) const;
    /// All common names.
    std::vector<std::string> names() const;

    /// Adds a free parameter of a wedge under its common name, or its place in this wedge if an
    /// earlier wedge had it. Returns false if it is not shared. Throws Error if its bounds or its
    /// prior differ from those of the earlier wedge.
    bool add(const FreeParameter& one, std::size_t wedge, std::vector<FreeParameter>& free) const;

    /// Throws Error if a parameter is fitted in one of its wedges and not in another, or if it is
    /// not fitted and has not one value.
    void check(const std::vector<FreeParameter>& free) const;

  private:
    struct Place {
        std::size_t wedge = 0;
        io::SharedParameter shared;
    };
    void take(std::size_t wedge, const std::vector<io::SharedParameter>& shared);
    void require_partners() const;
    std::vector<Place> places_of(const std::string& common) const;
    double value_at(const Place& place) const;
    /// "'a.toml' and 'b.toml'"
    std::string both(std::size_t one, std::size_t other) const;

    std::span<const StreamModel> models_;
    std::span<const std::string> files_;
    std::vector<Place> places_;  ///< by wedge
};

}  // namespace tessera::likelihood
