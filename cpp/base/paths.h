// Names of files as Python hands them over, in UTF-8, as the system wants them.
#pragma once

#include <filesystem>
#include <string>

namespace tesuji {

// Windows would read a plain string in the code page of the machine, and miss every other letter.
inline std::filesystem::path native_path(const std::string& utf8) {
#ifdef _WIN32
    return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
#else
    return utf8;
#endif
}

// The way back.
inline std::string utf8_text(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return std::string(text.begin(), text.end());
}

}  // namespace tesuji
