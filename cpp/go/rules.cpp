#include "go/rules.h"

#include <array>
#include <cmath>

#include "base/text.h"

namespace tesuji {

namespace {

struct RuleSet {
    const char* name;
    const char* label;  // for people
    const char* sgf;    // as the SGF standard writes it
    Rules rules;
    std::array<const char*, 4> aliases;  // letters alone, in small; the name itself is understood
};

constexpr RuleSet rule_sets[] = {
    {"chinese",
     "Chinese",
     "Chinese",
     {Ko::positional, false, Scoring::area},
     {"cn", "chn", "chineseogs", "chinesekgs"}},
    {"japanese", "Japanese", "Japanese", {Ko::simple, false, Scoring::territory}, {"jp", "jpn"}},
    {"korean", "Korean", "Korean", {Ko::simple, false, Scoring::territory, 1}, {"kr", "kor"}},
    {"aga", "AGA", "AGA", {Ko::situational, false, Scoring::area}, {"bga"}},
    {"new-zealand", "New Zealand", "NZ", {Ko::situational, true, Scoring::area}, {"nz"}},
    {"tromp-taylor", "Tromp-Taylor", "Tromp-Taylor", {Ko::positional, true, Scoring::area}, {"tt"}},
};

constexpr Ko kos[] = {Ko::simple, Ko::positional, Ko::situational};
constexpr Scoring scorings[] = {Scoring::area, Scoring::territory};

const RuleSet* set_of(const Rules& rules) {
    for (const RuleSet& set : rule_sets)
        if (set.rules == rules) return &set;
    return nullptr;
}

bool is_called(const RuleSet& set, const std::string& letters) {
    if (letters == letters_of(set.name)) return true;
    for (const char* alias : set.aliases)
        if (alias && letters == alias) return true;
    return false;
}

std::string spelled_out(const Rules& rules) {
    return std::string("ko=") + name_of(rules.ko) + " suicide=" + (rules.suicide ? "yes" : "no") +
           " scoring=" + name_of(rules.scoring);
}

template <typename Choice, std::size_t Count>
Choice chosen(const Choice (&choices)[Count], std::string_view what, std::string_view text) {
    std::vector<std::string> known;
    for (const Choice choice : choices) {
        if (text == name_of(choice)) return choice;
        known.emplace_back(name_of(choice));
    }
    refuse_name(what, text, known);
}

}  // namespace

const char* name_of(Ko ko) {
    return ko == Ko::simple ? "simple" : ko == Ko::positional ? "positional" : "situational";
}

const char* name_of(Scoring scoring) { return scoring == Scoring::area ? "area" : "territory"; }

Rules Rules::named(std::string_view name) {
    for (const RuleSet& set : rule_sets)
        if (name == set.name) return set.rules;
    refuse_name("rules", name, rule_names());
}

Rules Rules::of(std::string_view ko, bool suicide, std::string_view scoring) {
    return {chosen(kos, "ko rule", ko), suicide, chosen(scorings, "scoring", scoring)};
}

std::string Rules::name() const {
    const RuleSet* const set = set_of(*this);
    return set ? set->name : "";
}

std::string Rules::label() const {
    const RuleSet* const set = set_of(*this);
    return set ? set->label : "";
}

std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    for (const RuleSet& set : rule_sets) names.emplace_back(set.name);
    return names;
}

std::optional<Rules> rules_from_text(std::string_view text) {
    text = trimmed(text);
    for (const Ko ko : kos)
        for (const Scoring scoring : scorings)
            for (const bool suicide : {false, true})
                if (text == spelled_out({ko, suicide, scoring})) return Rules{ko, suicide, scoring};
    if (text.starts_with("ko=")) return std::nullopt;
    std::string letters = letters_of(text);
    if (letters.ends_with("rules")) letters.resize(letters.size() - 5);
    for (const RuleSet& set : rule_sets)
        if (is_called(set, letters)) return set.rules;
    return std::nullopt;
}

std::string sgf_text(const Rules& rules) {
    const RuleSet* const set = set_of(rules);
    return set ? set->sgf : spelled_out(rules);
}

float usual_komi(int size, const Rules& rules, bool handicap) {
    if (handicap) return 0.5F;
    if (rules.scoring == Scoring::territory) return 6.5F;
    return size <= 9 ? 7.0F : 7.5F;
}

namespace {

// Chinese servers count komi in stones, of two points each, or leave out its decimal point: 3.75, 375, 650.
constexpr float komi_in_stones[] = {2.75F, 3.25F, 3.75F}, komi_without_point[] = {550, 650, 700, 750};

float in_points(float komi) {
    for (const float stones : komi_in_stones)
        if (komi == stones || komi == 100 * stones) return 2 * stones;
    for (const float hundredfold : komi_without_point)
        if (komi == hundredfold) return komi / 100;
    return komi;
}

}  // namespace

std::optional<float> komi_from_text(std::string_view text) {
    const std::optional<float> stated = decimal(trimmed(text));
    const std::optional<float> komi = stated ? std::optional(in_points(*stated)) : std::nullopt;
    return komi && std::abs(*komi) <= komi_limit ? komi : std::nullopt;
}

}  // namespace tesuji
