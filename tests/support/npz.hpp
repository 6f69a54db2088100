// Reads the float64 and int64 arrays of a NumPy .npz archive (a zip of .npy files), as the
// reference data come. Only what numpy.savez and savez_compressed write; sizes below 4 GiB.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::test {

struct NpyArray {
    std::vector<std::size_t> shape;
    std::vector<double> values;  ///< C order

    std::size_t columns() const { return shape.back(); }
};

class Npz {
  public:
    explicit Npz(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        if (!file) throw std::runtime_error("cannot open " + path);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
        const std::size_t end = bytes_.rfind("PK\5\6");
        if (end == std::string::npos) throw std::runtime_error(path + " is no zip file");
        std::size_t at = number<std::uint32_t>(end + 16);
        for (int left = number<std::uint16_t>(end + 10); left > 0; --left) {
            const std::size_t name = number<std::uint16_t>(at + 28);
            entries_[bytes_.substr(at + 46, name)] = at;
            at += 46 + name + number<std::uint16_t>(at + 30) + number<std::uint16_t>(at + 32);
        }
    }

    NpyArray operator[](const std::string& name) const {
        const std::string npy = unpack(entries_.at(name + ".npy"));
        const std::size_t start = npy[6] == 1 ? 10 + value_at<std::uint16_t>(npy, 8)
                                              : 12 + value_at<std::uint32_t>(npy, 8);
        const std::string head = npy.substr(0, start);
        if (head.find("'fortran_order': False") == std::string::npos)
            throw std::runtime_error(name + " is in Fortran order");
        NpyArray array;
        std::size_t size = 1;
        const std::size_t open = head.find('(', head.find("'shape'"));
        const std::string shape = head.substr(open + 1, head.find(')', open) - open - 1);
        for (std::size_t at = shape.find_first_of("0123456789"); at != std::string::npos;
             at = shape.find_first_of("0123456789", shape.find(',', at))) {
            array.shape.push_back(std::stoul(shape.substr(at)));
            size *= array.shape.back();
            if (shape.find(',', at) == std::string::npos) break;
        }
        const bool integers = head.find("'<i8'") != std::string::npos;
        if (!integers && head.find("'<f8'") == std::string::npos)
            throw std::runtime_error(name + " is neither float64 nor int64");
        for (std::size_t i = 0; i < size; ++i)
            array.values.push_back(
                integers ? static_cast<double>(value_at<std::int64_t>(npy, start + 8 * i))
                         : value_at<double>(npy, start + 8 * i));
        return array;
    }

  private:
    template <class Value>
    static Value value_at(const std::string& bytes, std::size_t at) {
        Value value;
        if (at + sizeof value > bytes.size()) throw std::runtime_error("a truncated .npy file");
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    }
    template <class Value>
    Value number(std::size_t at) const {
        return value_at<Value>(bytes_, at);
    }

    // `at`: the entry in the central directory.
    std::string unpack(std::size_t at) const {
        const auto method = number<std::uint16_t>(at + 10);
        const std::size_t packed = number<std::uint32_t>(at + 20);
        const std::size_t size = number<std::uint32_t>(at + 24);
        const std::size_t local = number<std::uint32_t>(at + 42);
        const std::size_t data =
            local + 30 + number<std::uint16_t>(local + 26) + number<std::uint16_t>(local + 28);
        if (method == 0) return bytes_.substr(data, size);
        std::string text(size, '\0');
        z_stream stream{};
        inflateInit2(&stream, -15);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + data));
        stream.avail_in = static_cast<uInt>(packed);
        stream.next_out = reinterpret_cast<Bytef*>(text.data());
        stream.avail_out = static_cast<uInt>(size);
        const int result = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
        if (result != Z_STREAM_END) throw std::runtime_error("damaged .npz file");
        return text;
    }

    std::string bytes_;
    std::map<std::string, std::size_t> entries_;
};

}  // namespace tessera::test
