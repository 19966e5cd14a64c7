// Rule sets: what they are made of, how people call them, and the komi that goes with them. The one owner of
// these facts: whoever shows, reads or writes rules or needs a komi asks here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tesuji {

enum class Ko : std::uint8_t { simple, positional, situational };
enum class Scoring : std::uint8_t { area, territory };
const char* name_of(Ko ko);
const char* name_of(Scoring scoring);

// Two sets of rules are equal when they are the same rule set: the same parts and the same name. Korean rules
// are played like Japanese ones and still are not Japanese.
struct Rules {
    Ko ko = Ko::positional;
    bool suicide = false;  // of two or more stones; a single stone never
    Scoring scoring = Scoring::area;
    std::uint8_t variant = 0;  // of rule sets made of the same parts: 0 the first in the list, 1 the next

    static Rules named(std::string_view name);  // throws std::invalid_argument with the nearest name
    static Rules of(std::string_view ko, bool suicide, std::string_view scoring);  // throws likewise
    // What a record without rules is held to: never refuse a real game for a repetition its players allowed.
    static constexpr Rules unstated() { return {Ko::simple, false, Scoring::area}; }

    std::string name() const;   // "new-zealand"; "" where no rule set is made of these parts
    std::string label() const;  // "New Zealand"; "" likewise
    bool plays_like(const Rules& other) const {
        return ko == other.ko && suicide == other.suicide && scoring == other.scoring;
    }
    bool operator==(const Rules&) const = default;
};

std::vector<std::string> rule_names();  // of all rule sets, the most usual first

// As files and clients write them: a name or one of its aliases in any spelling ("NZ", "Japanese rules",
// "tromp_taylor"), or the parts spelled out ("ko=simple suicide=yes scoring=area"). None where nobody knows.
std::optional<Rules> rules_from_text(std::string_view text);
// As SGF files name them in RU; rules without a name are spelled out.
std::string sgf_text(const Rules& rules);

inline constexpr float komi_limit = 1000;
// The komi such games usually have: half a point with a handicap, 6.5 by territory, by area 7 up to 9x9 (7.5
// gives White most games there) and 7.5 beyond.
float usual_komi(int size, const Rules& rules, bool handicap = false);
// The komi a file states in KM, in points. None where that is no number of points: a file is worth reading
// without.
std::optional<float> komi_from_text(std::string_view text);

}  // namespace tesuji
