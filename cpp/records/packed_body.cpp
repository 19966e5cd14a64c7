#include "records/packed_body.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tesuji {
namespace {

template <typename Number>
void put(std::string& out, Number number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::uint16_t fraction(float probability) {
    return static_cast<std::uint16_t>(std::lround(std::clamp(probability, 0.0f, 1.0f) * 65535.0f));
}

// What the probabilities of a policy are divided by. Rounded ones sum to one up to half a step each; dividing
// those again would move some by a step, and a game packed twice would not be the same bytes.
float whole_of(const Target& target) {
    float total = 0;
    for (const auto& choice : target.policy) total += choice.second;
    const float rounding = (0.5f * static_cast<float>(target.policy.size()) + 0.5f) / 65535.0f;
    return std::abs(total - 1.0f) <= rounding ? 1.0f : total;
}

void put_setup(std::string& out, const GameRecord& record) {
    put(out, static_cast<std::uint16_t>(record.black.size()));
    put(out, static_cast<std::uint16_t>(record.white.size()));
    for (const auto* points : {&record.black, &record.white})
        for (Point point : *points) put(out, static_cast<std::uint16_t>(point));
}

void put_moves(std::string& out, const GameRecord& record) {
    Color expected = record.first;
    const bool narrow = move_bytes(record.size) == 1;
    const unsigned turn_bit = narrow ? 0x80 : 0x8000;
    for (const auto [color, move] : record.moves) {
        const unsigned point = move == pass ? turn_bit - 1 : static_cast<unsigned>(move);
        const unsigned code = color == expected ? point : point | turn_bit;
        if (narrow)
            put(out, static_cast<std::uint8_t>(code));
        else
            put(out, static_cast<std::uint16_t>(code));
        expected = opponent(color);
    }
}

template <typename Contains>
void put_bitmap(std::string& out, int area, Contains contains) {
    std::string bytes(bitmap_bytes(area), '\0');
    for (Point point = 0; point < area; ++point)
        if (contains(point)) bytes[point >> 3] = static_cast<char>(bytes[point >> 3] | 1 << (point & 7));
    out += bytes;
}

void check_target(const GameRecord& record, const Target& target, int previous) {
    const int area = record.size * record.size;
    if (target.position <= previous || target.position > static_cast<int>(record.moves.size()))
        throw std::invalid_argument("target at position " + std::to_string(target.position) +
                                    " of a game of " + std::to_string(record.moves.size()) +
                                    " moves; positions must rise");
    if (!target.white_ownership.empty() && static_cast<int>(target.white_ownership.size()) != area)
        throw std::invalid_argument("an ownership map of " + std::to_string(target.white_ownership.size()) +
                                    " points on a board of " + std::to_string(area));
    float total = 0;
    for (const auto& [move, probability] : target.policy) {
        if (move < pass || move >= area || !(probability >= 0))
            throw std::invalid_argument("a policy target speaks of a move that is not on the board");
        total += probability;
    }
    if (!target.policy.empty() && !(total > 0 && std::isfinite(total)))
        throw std::invalid_argument("a policy target sums to nothing");
}

void put_targets(std::string& out, const GameRecord& record) {
    std::string data;
    const std::size_t data_start = out.size() + record.targets.size() * sizeof(PackedTarget);
    int previous = -1;
    for (const Target& target : record.targets) {
        check_target(record, target, previous);
        previous = target.position;
        PackedTarget packed{};
        packed.position = static_cast<std::uint16_t>(target.position);
        packed.policy_moves = static_cast<std::uint16_t>(target.policy.size());
        packed.offset = static_cast<std::uint32_t>(data_start + data.size());
        if (!std::isnan(target.white_winrate)) packed.flags |= PackedTarget::winrate;
        if (!std::isnan(target.white_score)) packed.flags |= PackedTarget::score;
        if (!target.white_ownership.empty()) packed.flags |= PackedTarget::ownership;
        packed.white_winrate = std::isnan(target.white_winrate) ? 0 : fraction(target.white_winrate);
        packed.white_score = std::isnan(target.white_score) ? 0 : target.white_score;
        put(out, packed);
        const float whole = whole_of(target);
        for (const auto& [move, probability] : target.policy) {
            put(data, static_cast<std::uint16_t>(move));
            put(data, fraction(probability / whole));
        }
        for (std::int8_t owner : target.white_ownership) put(data, owner);
    }
    out += data;
}

std::uint8_t rules_code(const Rules& rules) {
    return static_cast<std::uint8_t>(static_cast<int>(rules.ko) | rules.suicide << 2 |
                                     static_cast<int>(rules.scoring) << 3 | rules.variant << 4);
}

Rules rules_of(std::uint8_t code) {
    return {static_cast<Ko>(code & 3), (code & 4) != 0, static_cast<Scoring>(code >> 3 & 1),
            static_cast<std::uint8_t>(code >> 4)};
}

void check_record(const GameRecord& record) {
    const int area = Geometry::of(record.size).area;
    if (record.moves.size() > 65534) throw std::invalid_argument("more than 65534 moves");
    if (std::isinf(record.komi) || std::abs(record.komi) > 10000)
        throw std::invalid_argument("komi " + std::to_string(record.komi) + " is not within 10000");
    for (const auto [color, move] : record.moves)
        if (move < pass || move >= area) throw std::invalid_argument("a move is not on the board");
    PointSet taken;
    for (const auto* points : {&record.black, &record.white})
        for (Point point : *points) {
            if (point < 0 || point >= area) throw std::invalid_argument("a setup stone is not on the board");
            if (taken.contains(point)) throw std::invalid_argument("two setup stones on one point");
            taken.add(point);
        }
}

PackedEntry entry_of(const GameRecord& record, const Replayed& replayed) {
    PackedEntry entry;
    entry.key = replayed.key;
    entry.moves = static_cast<std::uint16_t>(record.moves.size());
    entry.targets = static_cast<std::uint16_t>(record.targets.size());
    entry.komi = record.komi;
    entry.black_margin = record.result.black_margin;
    entry.black_rating = static_cast<std::int16_t>(record.black_rating);
    entry.white_rating = static_cast<std::int16_t>(record.white_rating);
    entry.size = static_cast<std::uint8_t>(record.size);
    entry.winner = static_cast<std::uint8_t>(record.result.winner);
    entry.ending = static_cast<std::uint8_t>(record.result.ending);
    entry.handicap = static_cast<std::uint8_t>(std::clamp(record.handicap, 0, 255));
    if (record.rules) {
        entry.rules = rules_code(*record.rules);
        entry.flags |= PackedEntry::has_rules;
    }
    if (!record.black.empty() || !record.white.empty()) entry.flags |= PackedEntry::has_setup;
    if (record.first == Color::white) entry.flags |= PackedEntry::white_first;
    if (replayed.counts) entry.flags |= PackedEntry::counts;
    return entry;
}

}  // namespace

Rules rules_or_usual(const PackedEntry& entry) {
    return entry.flags & PackedEntry::has_rules ? rules_of(entry.rules) : Rules::unstated();
}

float komi_or_usual(const PackedEntry& entry) {
    if (!std::isnan(entry.komi)) return entry.komi;
    constexpr int setup_for_white = PackedEntry::has_setup | PackedEntry::white_first;
    return usual_komi(entry.size, rules_or_usual(entry),
                      entry.handicap >= 2 || (entry.flags & setup_for_white) == setup_for_white);
}

PackedGame pack_game(const GameRecord& record) {
    check_record(record);
    const Replayed replayed = replay(record);
    PackedGame game{entry_of(record, replayed), {}};
    const int area = record.size * record.size;
    if (game.entry.flags & PackedEntry::has_setup) put_setup(game.body, record);
    put_moves(game.body, record);
    for (Color color : {Color::black, Color::white})
        put_bitmap(game.body, area,
                   [&](Point point) { return replayed.final_stones.stones_of(color).contains(point); });
    if (replayed.counts)
        for (Color color : {Color::black, Color::white})
            put_bitmap(game.body, area,
                       [&](Point point) { return replayed.owners[point] == stone_of(color); });
    put_targets(game.body, record);
    game.entry.bytes = static_cast<std::uint32_t>(game.body.size());
    return game;
}

std::size_t least_body_bytes(const PackedEntry& entry) {
    const std::size_t bitmaps = entry.flags & PackedEntry::counts ? 4 : 2;
    return (entry.flags & PackedEntry::has_setup ? 4 : 0) +
           static_cast<std::size_t>(entry.moves) * move_bytes(entry.size) +
           bitmaps * bitmap_bytes(entry.size * entry.size) + entry.targets * sizeof(PackedTarget);
}

BodyView::BodyView(const PackedEntry& entry, const unsigned char* body)
    : entry_(&entry), body_(body), bitmap_(bitmap_bytes(entry.size * entry.size)), moves_(0) {
    if (entry.flags & PackedEntry::has_setup) {
        black_setup_ = word(0);
        white_setup_ = word(2);
        moves_ = 4 + 2 * static_cast<std::size_t>(black_setup_ + white_setup_);
        if (least_body_bytes(entry) + moves_ - 4 > entry.bytes) refuse();
    }
    final_ = moves_ + static_cast<std::size_t>(entry.moves) * move_bytes(entry.size);
    owners_ = final_ + 2 * bitmap_;
    targets_ = owners_ + (entry.flags & PackedEntry::counts ? 2 * bitmap_ : 0);
}

Move BodyView::move(int index) const {
    if (move_bytes(entry_->size) == 1) {
        const unsigned point = body_[moves_ + index] & 0x7F;
        return point == 0x7F ? pass : on_board(point);
    }
    const unsigned point = word(moves_ + 2 * static_cast<std::size_t>(index)) & 0x7FFF;
    return point == 0x7FFF ? pass : on_board(point);
}

PackedTarget BodyView::target(int index) const {
    PackedTarget target;
    std::memcpy(&target, body_ + targets_ + static_cast<std::size_t>(index) * sizeof target, sizeof target);
    const std::size_t needed = 4 * static_cast<std::size_t>(target.policy_moves) +
                               (target.flags & PackedTarget::ownership ? area() : 0);
    if (target.offset + needed > entry_->bytes || target.position > entry_->moves) refuse();
    return target;
}

std::pair<Move, float> BodyView::target_policy(const PackedTarget& target, int index) const {
    const std::size_t at = target.offset + 4 * static_cast<std::size_t>(index);
    const auto move = static_cast<Move>(word(at));
    return {move == pass ? pass : on_board(static_cast<std::uint16_t>(move)),
            static_cast<float>(word(at + 2)) / 65535.0f};
}

std::int8_t BodyView::target_ownership(const PackedTarget& target, Point point) const {
    return static_cast<std::int8_t>(
        body_[target.offset + 4 * static_cast<std::size_t>(target.policy_moves) + point]);
}

int BodyView::find_target(int position) const {
    int low = 0, high = entry_->targets;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int found = target(middle).position;
        if (found == position) return middle;
        if (found < position)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

void BodyView::refuse() const {
    throw std::invalid_argument("a packed game contradicts itself; pack the file again");
}

GameRecord unpack_game(const BodyView& view) {
    const PackedEntry& entry = view.entry();
    GameRecord record;
    record.size = entry.size;
    record.komi = entry.komi;
    if (entry.flags & PackedEntry::has_rules) record.rules = rules_of(entry.rules);
    record.result.winner = static_cast<Winner>(entry.winner);
    record.result.ending = static_cast<Ending>(entry.ending);
    record.result.black_margin = entry.black_margin;
    record.black_rating = entry.black_rating;
    record.white_rating = entry.white_rating;
    record.handicap = entry.handicap;
    record.first = entry.flags & PackedEntry::white_first ? Color::white : Color::black;
    for (int i = 0; i < view.black_setup(); ++i) record.black.push_back(view.setup_point(i));
    for (int i = 0; i < view.white_setup(); ++i)
        record.white.push_back(view.setup_point(view.black_setup() + i));
    view.for_each_turn(entry.moves, [&](Turn turn) { record.moves.push_back(turn); });
    for (int i = 0; i < entry.targets; ++i) {
        const PackedTarget packed = view.target(i);
        Target target;
        target.position = packed.position;
        for (int k = 0; k < packed.policy_moves; ++k) target.policy.push_back(view.target_policy(packed, k));
        if (packed.flags & PackedTarget::winrate)
            target.white_winrate = static_cast<float>(packed.white_winrate) / 65535.0f;
        if (packed.flags & PackedTarget::score) target.white_score = packed.white_score;
        if (packed.flags & PackedTarget::ownership)
            for (Point point = 0; point < view.area(); ++point)
                target.white_ownership.push_back(view.target_ownership(packed, point));
        record.targets.push_back(std::move(target));
    }
    return record;
}

}  // namespace tesuji
