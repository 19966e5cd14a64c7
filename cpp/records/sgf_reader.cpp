#include "records/sgf_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tesuji {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// Rules without a name, as our own files write them: "ko=simple suicide=yes scoring=area".
std::optional<Rules> spelled_out(std::string_view text) {
    static constexpr std::pair<const char*, Ko> kos[] = {
        {"simple", Ko::simple}, {"positional", Ko::positional}, {"situational", Ko::situational}};
    static constexpr std::pair<const char*, bool> suicides[] = {{"yes", true}, {"no", false}};
    static constexpr std::pair<const char*, Scoring> scorings[] = {{"area", Scoring::area},
                                                                   {"territory", Scoring::territory}};
    for (const auto& [ko_name, ko] : kos)
        for (const auto& [suicide_name, suicide] : suicides)
            for (const auto& [scoring_name, scoring] : scorings)
                if (text ==
                    std::string("ko=") + ko_name + " suicide=" + suicide_name + " scoring=" + scoring_name)
                    return Rules{ko, suicide, scoring};
    return std::nullopt;
}

[[noreturn]] void not_sgf(const std::string& why) { throw Rejected("not SGF", why); }

// Walks the first branch at every fork and hands each property value to `visit(name, value)`, `;` to
// `node()`.
class MainLine {
  public:
    explicit MainLine(std::string_view text) : text_(text) {}

    template <typename Node, typename Visit>
    void walk(Node node, Visit visit) {
        at_ = text_.find('(');
        if (at_ == std::string_view::npos) not_sgf("no game tree");
        bool any = false;
        for (++at_; at_ < text_.size();) {
            const char c = text_[at_];
            if (is_space(c) || c == '(') {
                ++at_;
            } else if (c == ';') {
                ++at_;
                any = true;
                node();
            } else if (c == ')') {
                if (!any) not_sgf("a game tree without nodes");
                return;
            } else {
                property(visit);
            }
        }
        throw Rejected("cut off", "the text ends in the middle of the game");
    }

  private:
    template <typename Visit>
    void property(Visit& visit) {
        std::array<char, 8> name;
        std::size_t length = 0;
        // Old files write identifiers in full ("White"): only the capitals count.
        for (; at_ < text_.size() && (is_upper(text_[at_]) || is_lower(text_[at_])); ++at_)
            if (is_upper(text_[at_]) && length < name.size()) name[length++] = text_[at_];
        skip_space();
        if (length == 0 || at_ >= text_.size() || text_[at_] != '[')
            not_sgf("at character " + std::to_string(at_ + 1) + ": a property was expected");
        for (; at_ < text_.size() && text_[at_] == '['; skip_space())
            visit(std::string_view(name.data(), length), value());
    }

    std::string_view value() {
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != ']') at_ += text_[at_] == '\\' ? 2 : 1;
        if (at_ >= text_.size()) throw Rejected("cut off", "the text ends in the middle of a property");
        return text_.substr(begin, at_++ - begin);
    }

    void skip_space() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

class Reader {
  public:
    GameRecord read(std::string_view text) {
        MainLine(text).walk(
            [] {}, [&](std::string_view name, std::string_view value) { take(name, trimmed(value)); });
        return finish();
    }

  private:
    void take(std::string_view name, std::string_view value) {
        if (name == "B" || name == "W") return move(name == "B" ? Color::black : Color::white, value);
        if (name == "AB" || name == "AW" || name == "AE") {
            if (value.empty()) return;  // "AB[]" puts nothing on the board
            if (name == "AE") return take_away(value);
            return stones(name == "AB" ? record_.black : record_.white, value);
        }
        if (name == "PL") return to_play(value);
        if (name.size() == 2) header(name, value);
    }

    void header(std::string_view name, std::string_view value) {
        if (name == "SZ") size(value);
        if (name == "KM") komi(value);
        if (name == "RE") set_result(record_, value);
        if (name == "RU") rules(value);
        if (name == "HA") record_.handicap = whole(value);
        if (name == "BR") record_.black_rating = parse_rating(value);
        if (name == "WR") record_.white_rating = parse_rating(value);
        if (name == "GM" && value != "1" && !value.empty())
            throw Rejected("not Go", "GM[" + shown(value) + "]");
    }

    static std::string shown(std::string_view value) { return std::string(value.substr(0, 20)); }

    static int whole(std::string_view value) {
        int number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        return number;
    }

    void size(std::string_view value) {
        const int number = whole(value);
        const std::size_t colon = value.find(':');
        const bool square = colon == std::string_view::npos || whole(value.substr(colon + 1)) == number;
        if (number < min_size || number > max_size || !square)
            throw Rejected("board size", "SZ[" + shown(value) + "] is not a board from 2x2 to 25x25");
        if (seen_points_ && number != record_.size)
            throw Rejected("not SGF", "SZ comes after the first stone");
        record_.size = number;
    }

    void komi(std::string_view value) {
        std::string text(value);
        std::replace(text.begin(), text.end(), ',', '.');
        if (text.starts_with('+') && !text.starts_with("+-")) text.erase(0, 1);
        float number = 0;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
        // All of it or nothing: the beginning of "6 1/2" is another komi.
        if (error == std::errc{} && end == last && std::abs(number) <= 1000) record_.komi = number;
    }

    void rules(std::string_view value) {
        if (value.starts_with("ko=")) {
            record_.rules = spelled_out(value);
            return;
        }
        std::string name;
        for (char c : value)
            if (is_upper(c) || is_lower(c)) name += static_cast<char>(c | 0x20);
        if (name.ends_with("rules")) name.resize(name.size() - 5);
        static constexpr std::pair<const char*, const char*> known[] = {
            {"tromptaylor", "tromp-taylor"},
            {"tt", "tromp-taylor"},

            {"chinese", "chinese"},
            {"cn", "chinese"},
            {"chn", "chinese"},
            {"japanese", "japanese"},
            {"jp", "japanese"},
            {"jpn", "japanese"},
            {"korean", "korean"},
            {"kr", "korean"},
            {"aga", "aga"},
            {"newzealand", "new-zealand"},
            {"nz", "new-zealand"},
        };
        for (const auto& [spelling, rules] : known)
            if (name == spelling) record_.rules = Rules::named(rules);
    }

    Point point(std::string_view value) {
        seen_points_ = true;
        if (value.size() != 2) throw Rejected("bad point", "[" + shown(value) + "] is not a point");
        const int column = letter(value[0]), row = letter(value[1]);
        if (column < 0 || row < 0 || column >= record_.size || row >= record_.size)
            throw Rejected("bad point",
                           "[" + shown(value) + "] is not on a board of " + std::to_string(record_.size));
        return static_cast<Point>(row * record_.size + column);
    }

    static int letter(char c) { return is_lower(c) ? c - 'a' : is_upper(c) ? c - 'A' + 26 : -1; }

    void move(Color color, std::string_view value) {
        const bool passes = value.empty() || (value == "tt" && record_.size <= 19);
        record_.moves.push_back({color, passes ? pass : point(value)});
    }

    void stones(std::vector<Point>& to, std::string_view value) {
        if (!record_.moves.empty())
            throw Rejected("setup inside", "stones are put on the board after the first move");
        const std::size_t colon = value.find(':');
        if (colon == std::string_view::npos) return to.push_back(point(value));
        const Point first = point(value.substr(0, colon)), last = point(value.substr(colon + 1));
        if (first / record_.size > last / record_.size || first % record_.size > last % record_.size)
            throw Rejected("bad point", "[" + shown(value) + "]: the top left corner comes first");
        for (int row = first / record_.size; row <= last / record_.size; ++row)
            for (int column = first % record_.size; column <= last % record_.size; ++column)
                to.push_back(static_cast<Point>(row * record_.size + column));
    }

    void take_away(std::string_view value) {
        if (!record_.moves.empty())
            throw Rejected("setup inside", "stones are taken off the board after the first move");
        std::vector<Point> gone;
        stones(gone, value);
        for (Point point : gone) {
            std::erase(record_.black, point);
            std::erase(record_.white, point);
        }
    }

    void to_play(std::string_view value) {
        const char c = value.empty() ? ' ' : value[0];
        if (c == 'B' || c == 'b' || c == '1') stated_ = Color::black;
        if (c == 'W' || c == 'w' || c == '2') stated_ = Color::white;
    }

    static void once_each(std::vector<Point>& points) {
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
    }

    GameRecord finish() {
        once_each(record_.black);
        once_each(record_.white);
        if (!record_.moves.empty())
            record_.first = record_.moves.front().color;
        else
            record_.first = stated_.value_or(!record_.black.empty() && record_.white.empty() ? Color::white
                                                                                             : Color::black);
        return std::move(record_);
    }

    GameRecord record_;
    std::optional<Color> stated_;
    bool seen_points_ = false;
};

}  // namespace

GameRecord read_sgf_game(std::string_view text) { return Reader().read(text); }

std::vector<std::string_view> split_trees(std::string_view text) {
    std::vector<std::string_view> trees;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '[' && depth > 0) {
            for (++at; at < text.size() && text[at] != ']'; ++at)
                if (text[at] == '\\') ++at;
        } else if (c == '(') {
            if (depth++ == 0) begin = at;
        } else if (c == ')' && depth > 0 && --depth == 0) {
            trees.push_back(text.substr(begin, at + 1 - begin));
        }
    }
    if (depth > 0) trees.push_back(text.substr(begin));
    return trees;
}

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty()) lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace tesuji
