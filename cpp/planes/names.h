// Names of channels that come in rows: "liberties 1", "own stones, 3 before".
#pragma once

#include <string>
#include <vector>

namespace tesuji {

using Names = std::vector<std::string>;

inline void append(Names& names, const Names& more) { names.insert(names.end(), more.begin(), more.end()); }

inline Names numbered(const std::string& what, int count, const std::string& last_suffix) {
    Names names;
    for (int i = 1; i <= count; ++i)
        names.push_back(what + " " + std::to_string(i) + (i == count ? last_suffix : ""));
    return names;
}

inline std::string at_age(const std::string& what, int age) {
    return age == 0 ? what : what + ", " + std::to_string(age) + " before";
}

}  // namespace tesuji
