#include "records/sgf_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace tesuji {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// What a value says, its escapes resolved.
std::string plain(std::string_view value) {
    std::string text;
    for (std::size_t at = 0; at < value.size(); ++at) {
        if (value[at] == '\\' && ++at == value.size()) break;
        text += value[at];
    }
    return std::string(trimmed(text));
}

// All of a text as a number of small size; -1 where it is none.
int whole(std::string_view text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : -1;
}

// Names have one or two letters, so that a node's properties are compared as numbers.
constexpr int code(std::string_view name) {
    return name.size() == 1 ? name[0] : name.size() == 2 ? name[0] << 8 | name[1] : 0;
}

struct Property {
    int name;
    std::string_view value;
};

[[noreturn]] void not_sgf(const std::string& why) { throw Rejected("not SGF", why); }

// Walks the first branch at every fork and hands each property value to `visit(name, value)`; `node()` is
// called before each node.
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
                if (!any) not_sgf("a property before the first node");
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

// Both readers of SGF, this and the one for people, understand a game alike: what is said twice counts the
// first time; size and kind of game are the root's to say; in a node stones are set up before moves are made.
class Reader {
  public:
    GameRecord read(std::string_view text) {
        MainLine(text).walk([&] { finish_node(), ++nodes_; },
                            [&](std::string_view name, std::string_view value) {
                                if (code(name)) node_.push_back({code(name), trimmed(value)});
                            });
        finish_node();
        return finish();
    }

  private:
    void finish_node() {
        if (nodes_ == 1) root();
        set_up();
        for (const Property& property : node_) header(property);
        for (const Color color : {Color::black, Color::white})  // Black first where a damaged file has both
            for (const Property& property : node_)
                if (property.name == (color == Color::black ? 'B' : 'W')) move(color, property.value);
        node_.clear();
    }

    const Property* first(std::string_view name) const {
        const auto found = std::find_if(node_.begin(), node_.end(),
                                        [&](const Property& each) { return each.name == code(name); });
        return found == node_.end() ? nullptr : &*found;
    }

    void root() {
        const Property* const kind = first("GM");
        if (kind && kind->value != "1" && !kind->value.empty())
            throw Rejected("not Go", "GM[" + shown(kind->value) + "]");
        if (const Property* const stated = first("SZ")) size(stated->value);
    }

    // Stones put on the board or taken off; what is put there counts, whatever the order in the file.
    void set_up() {
        const std::vector<Point> black = all_points("AB"), white = all_points("AW"), none = all_points("AE");
        for (const auto* gone : {&white, &none})
            for (const Point point : *gone) std::erase(record_.black, point);
        for (const auto* gone : {&black, &none})
            for (const Point point : *gone) std::erase(record_.white, point);
        record_.black.insert(record_.black.end(), black.begin(), black.end());
        record_.white.insert(record_.white.end(), white.begin(), white.end());
        const bool changed = !black.empty() || !white.empty() || !none.empty();
        if (changed && !record_.black.empty() && record_.white.empty()) record_.first = Color::white;
        if (const Property* const stated = first("PL")) to_play(plain(stated->value));
    }

    std::vector<Point> all_points(std::string_view name) {
        std::vector<Point> all;
        for (const Property& property : node_) {
            if (property.name != code(name) || property.value.empty()) continue;  // "AB[]" is no point
            if (!record_.moves.empty())
                throw Rejected("setup inside", "stones are put on the board or off it after the first move");
            const std::vector<Point> some = points(property.value);
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    void header(const Property& property) {
        static constexpr int headers[] = {code("KM"), code("RE"), code("RU"), code("HA"), code("BR"),
                                          code("WR"), code("DT"), code("PB"), code("PW")};
        const auto which = std::find(std::begin(headers), std::end(headers), property.name);
        if (which == std::end(headers)) return;
        bool& said = said_[which - std::begin(headers)];
        if (said) return;
        said = true;
        const std::string value = plain(property.value);
        if (property.name == code("KM")) record_.komi = komi_from_text(value).value_or(missing);
        if (property.name == code("RE")) record_.result = parse_result(value);
        if (property.name == code("RU")) record_.rules = rules_from_text(value);
        if (property.name == code("HA")) record_.handicap = std::max(whole(value), 0);
        if (property.name == code("BR")) record_.black_rating = parse_rating(value);
        if (property.name == code("WR")) record_.white_rating = parse_rating(value);
        if (property.name == code("DT")) record_.year = year(value);
        if (property.name == code("PB")) record_.black_name = value;
        if (property.name == code("PW")) record_.white_name = value;
    }

    // The first four digits in a row: "2015-03-02", "Published on 1846", "12/05/1993".
    static int year(std::string_view date) {
        std::size_t digits = 0;
        for (std::size_t i = 0; i < date.size(); ++i) {
            digits = date[i] >= '0' && date[i] <= '9' ? digits + 1 : 0;
            if (digits == 4) return whole(date.substr(i - 3, 4));
        }
        return 0;
    }

    static std::string shown(std::string_view value) { return std::string(value.substr(0, 20)); }

    // "19" or "19:19".
    void size(std::string_view value) {
        const std::string_view width = value.substr(0, value.find(':'));
        const std::string_view height =
            width.size() == value.size() ? width : trimmed(value.substr(width.size() + 1));
        const int number = whole(width);
        if (number < min_size || number > max_size || !(height.empty() || height == width))
            throw Rejected("board size", "SZ[" + shown(value) + "] is not a board from 2x2 to 25x25");
        record_.size = number;
    }

    Point point(std::string_view value) {
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

    // The points of "aa", or of the rectangle "aa:cc".
    std::vector<Point> points(std::string_view value) {
        const std::size_t colon = value.find(':');
        if (colon == std::string_view::npos) return {point(value)};
        const Point first = point(value.substr(0, colon)), last = point(value.substr(colon + 1));
        if (first / record_.size > last / record_.size || first % record_.size > last % record_.size)
            throw Rejected("bad point", "[" + shown(value) + "]: the top left corner comes first");
        std::vector<Point> inside;
        for (int row = first / record_.size; row <= last / record_.size; ++row)
            for (int column = first % record_.size; column <= last % record_.size; ++column)
                inside.push_back(static_cast<Point>(row * record_.size + column));
        return inside;
    }

    void to_play(std::string_view value) {
        const char c = value.empty() ? ' ' : value[0];
        if (c == 'B' || c == 'b' || c == '1') record_.first = Color::black;
        if (c == 'W' || c == 'w' || c == '2') record_.first = Color::white;
    }

    static void once_each(std::vector<Point>& points) {
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
    }

    GameRecord finish() {
        once_each(record_.black);
        once_each(record_.white);
        if (!record_.moves.empty()) record_.first = record_.moves.front().color;
        return std::move(record_);
    }

    GameRecord record_;
    std::vector<Property> node_;  // the one being read
    std::array<bool, 9> said_{};  // which headers have been given
    int nodes_ = 0;
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
