// A fit that chooses how many streams each wedge has.
#pragma once

#include <functional>
#include <vector>

#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/number_record.hpp"
#include "likelihood/fit/stream_numbers.hpp"

namespace tessera::likelihood {

struct NumberFit {
    FitCourse course;  ///< of the chosen numbers
    Numbers numbers;   ///< chosen
    std::vector<NumberRow> rows;
};

/// Fits each wedge alone with every number of streams, and keeps the number with the lowest
/// information criterion, or with the highest likelihood of stars that are held out of its fits.
/// Then all wedges together are fitted with these numbers, from the best models of the wedges.
/// `questions` are answered by a StagedObjective. The result depends on the settings and on the
/// answers alone.
NumberFit fit_numbers(Objective& questions, Refitter& refitter, const StreamNumbers& numbers,
                      const std::function<void(const FitProgress&)>& watch);

}  // namespace tessera::likelihood
