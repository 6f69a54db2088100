#include "likelihood/sample/image_turn.hpp"

#include <cmath>
#include <numeric>

namespace tessera::likelihood {

ImageTurn::ImageTurn(const Point& at, const ImageOf& image_of) {
    Point numbers(at.size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    image_ = image_of({at, {0, numbers, 0}});
}

void ImageTurn::add_back(const Point& at_image, Point& vector) const {
    for (std::size_t i = 0; i < at_image.size(); ++i) {
        const double number = image_.gradient[i];
        const auto source = static_cast<std::size_t>(std::lround(std::abs(number))) - 1;
        vector[source] += number > 0 ? at_image[i] : -at_image[i];
    }
}

bool is_own_image(const Point& at, const ImageOf& image_of) {
    return image_of({at, {rejected, Point(at.size(), 0.0), rejected}}).line == at;
}

}  // namespace tessera::likelihood
