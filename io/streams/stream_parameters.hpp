// Parameter files of a stream model: Tessera's TOML, or one of MilkyWay@Home's two text layouts.
#pragma once

#include <optional>
#include <string>

#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Choices that a text parameter file cannot express. A TOML file contains them; a different choice
/// is refused.
struct ModelChoices {
    std::optional<Model> model;  ///< default for a text file: the model of its layout
    std::optional<Turnoff> turnoff;
    std::optional<Profile> profile;
};

/// The words that files and options use. Unknown words throw Error, which names their place
/// `where`.
std::string name_of(Model model);      ///< "classic", "2018"
std::string name_of(Turnoff turnoff);  ///< "gaussian", "newby2011"
std::string name_of(Profile profile);  ///< "hernquist", "broken-power-law"
Model model_named(const std::string& name, const std::string& where);
Turnoff turnoff_named(const std::string& name, const std::string& where);
Profile profile_named(const std::string& name, const std::string& where);

/// Reads and validates a file, plain or gzipped, whose format is recognised by its content. Throws
/// Error that names the file and the problem.
StreamModel read_stream_parameters(const std::string& path, const ModelChoices& choices = {});
StreamModel parse_stream_parameters(const TextSource& source, const ModelChoices& choices = {});
TextSource read_parameter_text(const std::string& path);

/// Reads the files of the selection function and of tracks, if the model has any.
/// parse_stream_parameters() only takes their names, and read_stream_parameters() does both. Throws
/// Error that names the file.
void load_files(StreamModel& model);

/// The model as TOML, with as many digits as are needed to read the same numbers back.
std::string to_toml(const StreamModel& model);

/// A problem in a model.
struct Complaint {
    std::string why, what_to_do;
};

/// The problem of the first knot of a track that cannot be used.
std::optional<Complaint> complaint_about_track(const Stream& stream);

/// The problem of the first number that is out of range.
std::optional<Complaint> complaint_about(const StreamModel& model);

/// Throws Error for the first number that is out of range; `where` names the file in the message.
void validate(const StreamModel& model, const std::string& where);

}  // namespace tessera::io
