#include "io/scenes/glb_animation.hpp"

#include <array>

namespace tessera::io {

GltfBuffer::Json step_animation(const std::vector<std::size_t>& nodes, double seconds,
                                GltfBuffer& buffer) {
    using Json = GltfBuffer::Json;
    constexpr std::array<float, 3> hidden{0, 0, 0}, shown{1, 1, 1};
    const auto time = [&](std::size_t i) {
        return static_cast<float>(seconds * static_cast<double>(i));
    };
    Json samplers = Json::array(), channels = Json::array();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<float> times{time(i), time(i + 1)};
        std::vector<std::array<float, 3>> scales{shown, i + 1 < nodes.size() ? hidden : shown};
        if (i > 0) {
            times.insert(times.begin(), 0);
            scales.insert(scales.begin(), hidden);
        }
        channels.push_back(
            {{"sampler", samplers.size()}, {"target", {{"node", nodes[i]}, {"path", "scale"}}}});
        samplers.push_back({{"input", buffer.add_times(times)},
                            {"interpolation", "STEP"},
                            {"output", buffer.add_vectors(scales, false)}});
    }
    return {{"name", "frames"}, {"channels", channels}, {"samplers", samplers}};
}

}  // namespace tessera::io
