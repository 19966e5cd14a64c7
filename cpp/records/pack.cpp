#include "records/pack.h"

#include <algorithm>
#include <cmath>

namespace tesuji {
namespace {

int weaker_rating(const GameRecord& record, int asked) {
    const int weaker = std::min(record.black_rating, record.white_rating);
    const int stronger = std::max(record.black_rating, record.white_rating);
    const bool comparable =
        weaker > 0 && (weaker >= 100) == (asked >= 100) && (stronger >= 100) == (asked >= 100);
    if (!comparable) throw Rejected("rating", "no rating to compare with " + rating_text(asked));
    return weaker;
}

void check_ratings(const GameRecord& record, int minimum, int maximum) {
    if (const int weaker = minimum ? weaker_rating(record, minimum) : 0; weaker < minimum)
        throw Rejected("rating", rating_text(weaker) + " is below " + rating_text(minimum));
    if (const int weaker = maximum ? weaker_rating(record, maximum) : 0; weaker > maximum)
        throw Rejected("rating", rating_text(weaker) + " is above " + rating_text(maximum));
}

bool is_among(const std::string& name, const std::vector<std::string>& names) {
    return !name.empty() && std::any_of(names.begin(), names.end(),
                                        [&](const std::string& each) { return each == "*" || each == name; });
}

int handicap_of(const GameRecord& record) {
    return record.handicap        ? record.handicap
           : record.white.empty() ? static_cast<int>(record.black.size())
                                  : 0;
}

}  // namespace

void Filter::check(const GameRecord& record) const {
    if (size && record.size != *size)
        throw Rejected("board size", std::to_string(record.size) + "x" + std::to_string(record.size));
    const bool asks_komi = std::isfinite(min_komi) || std::isfinite(max_komi);
    if (asks_komi && !(record.komi >= min_komi && record.komi <= max_komi))
        throw Rejected("komi", std::isnan(record.komi) ? "unknown" : std::to_string(record.komi));
    if (rules && record.rules != rules)
        throw Rejected("rules", record.rules ? record.rules->name() : "unknown");
    if (result_known && record.result.winner == Winner::unknown)
        throw Rejected("no result", "RE names no winner and no draw");
    if (static_cast<int>(record.moves.size()) < min_moves)
        throw Rejected("too short", std::to_string(record.moves.size()) + " moves");
    check_ratings(record, min_rating, max_rating);
    const int handicap = handicap_of(record);
    if (handicap < min_handicap || handicap > max_handicap)
        throw Rejected("handicap", std::to_string(handicap) + " stones");
    const bool asks_year = min_year > 0 || max_year < std::numeric_limits<int>::max();
    if (asks_year && !(record.year > 0 && record.year >= min_year && record.year <= max_year))
        throw Rejected("year", record.year ? std::to_string(record.year) : "unknown");
}

void Filter::mark(GameRecord& record) const {
    if (is_among(record.black_name, not_by)) record.black_rating = program_rating;
    if (is_among(record.white_name, not_by)) record.white_rating = program_rating;
}

void Chunk::add(GameRecord record, const Filter& filter, std::size_t ordinal) {
    filter.check(record);
    filter.mark(record);
    try {
        games.push_back(pack_game(record));
    } catch (const std::invalid_argument& problem) {
        throw Rejected("illegal", problem.what());
    }
    ordinals.push_back(ordinal);
}

Chunk read_sgf_chunk(std::string_view text, bool one_per_line, const Filter& filter) {
    Chunk chunk;
    const std::vector<std::string_view> records = one_per_line ? split_lines(text) : split_trees(text);
    for (std::size_t i = 0; i < records.size(); ++i) try {
            chunk.add(read_sgf_game(records[i]), filter, i);
        } catch (const Rejected& rejected) {
            chunk.rejections.push_back({i, rejected.reason(), rejected.what()});
        }
    return chunk;
}

Chunk pack_records(const std::vector<GameRecord>& records, const Filter& filter) {
    Chunk chunk;
    for (std::size_t i = 0; i < records.size(); ++i) try {
            chunk.add(records[i], filter, i);
        } catch (const Rejected& rejected) {
            chunk.rejections.push_back({i, rejected.reason(), rejected.what()});
        }
    return chunk;
}

}  // namespace tesuji
