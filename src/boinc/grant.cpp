#include "boinc/grant.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace tessera::boinc {

namespace {

std::optional<int> whole_number(const std::string& text) {
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stopped != end || number < 0) return std::nullopt;
    return number;
}

}  // namespace

std::vector<std::string> without_gpu_number(const std::vector<std::string>& words,
                                            std::optional<int>& gpu) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool has_value = words[i] == "--device" && i + 1 < words.size();
        const auto number = has_value ? whole_number(words[i + 1]) : std::nullopt;
        if (!number) {
            kept.push_back(words[i]);
            continue;
        }
        if (!gpu) gpu = number;
        ++i;
    }
    return kept;
}

std::vector<std::string> with_gpu_fraction(std::vector<std::string> words, const Grant& grant) {
    const bool has_part = grant.gpu && grant.gpus > 0 && grant.gpus < 1;
    const bool is_said = std::ranges::any_of(
        words, [](const std::string& word) { return word.starts_with("--gpu-fraction"); });
    if (has_part && !is_said) {
        std::ostringstream text;
        text << "--gpu-fraction=" << grant.gpus;
        words.push_back(text.str());
    }
    return words;
}

std::string visible_gpu(int gpu, const std::string& visible) {
    std::istringstream list(visible);
    std::string name;
    for (int number = 0; std::getline(list, name, ','); ++number)
        if (number == gpu) return name;
    return std::to_string(gpu);
}

int threads_of(double cores) { return std::max(1, static_cast<int>(std::lround(cores))); }

void set_environment(const Grant& grant) {
    setenv("OMP_NUM_THREADS", std::to_string(threads_of(grant.cores)).c_str(), 0);
    if (grant.gpu) {
        const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
        setenv("CUDA_VISIBLE_DEVICES", visible_gpu(*grant.gpu, visible ? visible : "").c_str(), 1);
    }
}

std::string environment_text() {
    std::string text;
    for (const char* name : {"OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"})
        if (const char* const value = std::getenv(name))
            text += (text.empty() ? "" : ", ") + std::string(name) + "=" + value;
    return text;
}

}  // namespace tessera::boinc
