#include "records/games_data.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace tesuji {
namespace {

constexpr int course_size = 19;
constexpr int course_pass = course_size * course_size;
constexpr int most_moves = 10000;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

[[noreturn]] void garbled(std::string_view word, const char* wanted) {
    throw std::invalid_argument("'" + std::string(word.substr(0, 20)) + "' where " + wanted + " should be");
}

std::string shown(float number) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number);
    return error == std::errc{} ? std::string(text, end) : "0";
}

}  // namespace

GamesDataReader::GamesDataReader(std::string_view text) : text_(text) {
    const int games = whole();
    if (games < 0) garbled(text_.substr(0, 20), "the number of games");
    stated_ = static_cast<std::size_t>(games);
}

std::string_view GamesDataReader::word() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    if (begin == at_) throw std::invalid_argument("the file ends in the middle of a game");
    return text_.substr(begin, at_ - begin);
}

float GamesDataReader::number() {
    const std::string_view text = word();
    float value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        garbled(text, "a number");
    return value;
}

int GamesDataReader::whole() {
    const std::string_view text = word();
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) garbled(text, "a whole number");
    return value;
}

Color GamesDataReader::color(std::string_view text) {
    if (text.size() != 1) garbled(text, "a colour");
    if (text[0] == 'B' || text[0] == 'b') return Color::black;
    if (text[0] == 'W' || text[0] == 'w') return Color::white;
    if (text[0] < '0' || text[0] > '2') garbled(text, "a colour");
    if (!black_) black_ = text[0];
    return text[0] == black_ ? Color::black : Color::white;
}

GameRecord GamesDataReader::game() {
    GameRecord record;
    record.size = course_size;
    record.komi = number();
    const std::string_view winner = word();
    if (winner != "B" && winner != "W") garbled(winner, "the winner (B or W)");
    record.result.winner = winner == "B" ? Winner::black : Winner::white;
    const int moves = whole();
    if (moves < 0 || moves > most_moves) garbled(std::to_string(moves), "the number of moves");
    for (int i = 0; i < moves; ++i) {
        const int point = whole();
        if (point < 0 || point > course_pass) garbled(std::to_string(point), "a point");
        record.moves.push_back({color(word()), point == course_pass ? pass : static_cast<Move>(point)});
        Target target;
        target.position = i;
        target.white_winrate = number();
        target.white_score = number();
        if (target.white_winrate < 0 || target.white_winrate > 1)
            garbled(shown(target.white_winrate), "a win rate");
        record.targets.push_back(std::move(target));
    }
    if (!record.moves.empty()) record.first = record.moves.front().color;
    return record;
}

void GamesDataReader::check_end(Chunk& chunk) {
    const auto rest = text_.substr(at_);
    if (broken_ || read_ < stated_ || std::all_of(rest.begin(), rest.end(), is_space)) return;
    broken_ = true;
    chunk.rejections.push_back(
        {chunk.records(), "not stated",
         "more text behind the " + std::to_string(stated_) + " games that the first line states"});
}

Chunk GamesDataReader::next(std::size_t most, const Filter& filter) {
    Chunk chunk;
    for (std::size_t ordinal = 0; ordinal < most && !at_end(); ++ordinal) {
        GameRecord record;
        try {
            record = game();
        } catch (const std::invalid_argument& problem) {  // nothing behind it can be trusted
            broken_ = true;
            chunk.rejections.push_back({ordinal, "cut off",
                                        std::string(problem.what()) + "; " + std::to_string(stated_ - read_) +
                                            " games stated but not read"});
            break;
        }
        ++read_;
        try {
            chunk.add(record, filter, ordinal);
        } catch (const Rejected& rejected) {
            chunk.rejections.push_back({ordinal, rejected.reason(), rejected.what()});
        }
    }
    check_end(chunk);
    return chunk;
}

void append_games_data(const GameRecord& record, std::string& out) {
    if (record.size != course_size) throw std::invalid_argument("games.data holds 19x19 games only");
    if (!record.black.empty() || !record.white.empty())
        throw std::invalid_argument("games.data holds no games with setup stones");
    if (record.result.winner != Winner::black && record.result.winner != Winner::white)
        throw std::invalid_argument("games.data holds no games without a winner");
    const float result = record.result.winner == Winner::white ? 1.0f : 0.0f;
    const float lead = std::isnan(record.result.black_margin) ? 0.0f : -record.result.black_margin;
    out += shown(std::isnan(record.komi) ? 0 : record.komi) + (result > 0 ? " W " : " B ") +
           std::to_string(record.moves.size()) + "\n";
    std::size_t next = 0;
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        while (next < record.targets.size() && record.targets[next].position < static_cast<int>(i)) ++next;
        const bool judged =
            next < record.targets.size() && record.targets[next].position == static_cast<int>(i);
        const float winrate = judged ? record.targets[next].white_winrate : missing;
        const float score = judged ? record.targets[next].white_score : missing;
        const auto [color, move] = record.moves[i];
        out += std::to_string(move == pass ? course_pass : move) + (color == Color::black ? " B " : " W ") +
               shown(std::isnan(winrate) ? result : winrate) + " " + shown(std::isnan(score) ? lead : score) +
               "\n";
    }
}

}  // namespace tesuji
