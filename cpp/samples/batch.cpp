#include "samples/batch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "samples/replayer.h"

namespace tesuji {
namespace {

constexpr std::size_t grain = 16;  // samples a thread takes at a time: long enough not to meet the others

// One position with all it takes to write its row.
class Row {
  public:
    Row(const BodyView& game, const Position& position, const Choice& choice, bool use_targets)
        : game_(game),
          entry_(game.entry()),
          position_(position),
          number_(choice.position),
          area_(game.area()),
          map_(symmetry_map(entry_.size, choice.symmetry).data()) {
        const int found = use_targets && entry_.targets ? game.find_target(number_) : -1;
        if (found >= 0) target_ = game.target(found);
    }

    void write(const BatchArrays& to, std::size_t row) const {
        if (to.policy) write_policy(to.policy + row * (area_ + 1), to.policy_mask + row);
        if (to.point_policy) write_point_policy(to.point_policy + row * area_);
        if (to.value) write_value(to.value + row, to.value_mask + row);
        if (to.komi) to.komi[row] = position_.komi;
        if (to.to_play) to.to_play[row] = static_cast<std::uint8_t>(position_.to_play);
        if (to.black_score) write_score(to.black_score + row, to.score_mask + row);
        if (to.black_ownership) write_ownership(to.black_ownership + row * area_, to.ownership_mask + row);
        if (to.next_moves)
            for (int i = 0; i < 2; ++i) to.next_moves[2 * row + i] = move_after(number_ + 1 + i);
        if (to.final_stones) write_final(to.final_stones + row * area_ * 2);
        if (to.chains) write_chains(to.chains + row * area_);
    }

  private:
    Move turned(Move move) const { return move == pass ? pass : map_[move]; }
    int slot(Move move) const { return move == pass ? area_ : map_[move]; }
    Move move_after(int index) const { return index < entry_.moves ? turned(game_.move(index)) : Move{-2}; }

    void write_policy(float* policy, float* mask) const {
        std::fill_n(policy, area_ + 1, 0.0f);
        *mask = 1;
        if (target_ && target_->policy_moves) {
            float total = 0;
            for (int i = 0; i < target_->policy_moves; ++i) total += game_.target_policy(*target_, i).second;
            for (int i = 0; i < target_->policy_moves; ++i) {
                const auto [move, probability] = game_.target_policy(*target_, i);
                policy[slot(move)] = probability / total;
            }
        } else if (number_ < entry_.moves) {
            policy[slot(game_.move(number_))] = 1;
            if (position_.rating == program_rating) *mask = 0;
        } else {
            *mask = 0;
        }
    }

    void write_point_policy(float* policy) const {
        std::array<float, max_area + 1> whole;
        float mask;
        write_policy(whole.data(), &mask);
        std::copy_n(whole.data(), area_, policy);
    }

    void write_value(float* value, float* mask) const {
        const auto winner = static_cast<Winner>(entry_.winner);
        float white = 0.5f;
        *mask = 1;
        if (target_ && target_->flags & PackedTarget::winrate)
            white = static_cast<float>(target_->white_winrate) / 65535.0f;
        else if (winner == Winner::white || winner == Winner::black)
            white = winner == Winner::white ? 1.0f : 0.0f;
        else
            *mask = winner == Winner::draw ? 1.0f : 0.0f;
        if (std::isnan(entry_.komi)) *mask = 0;  // who wins hangs on the komi that the planes cannot show
        // A clock that ran out tells little of the board.
        const bool by_clock = static_cast<Ending>(entry_.ending) == Ending::time;
        if (by_clock && !(target_ && target_->flags & PackedTarget::winrate)) *mask = 0;
        *value = position_.to_play == Color::white ? white : 1 - white;
    }

    void write_score(float* score, float* mask) const {
        *mask = 1;
        if (target_ && target_->flags & PackedTarget::score && !std::isnan(entry_.komi)) {
            *score = position_.komi - target_->white_score;
        } else if (!std::isnan(entry_.black_margin) && !std::isnan(entry_.komi)) {
            *score = entry_.black_margin + entry_.komi;
        } else {
            *score = *mask = 0;
        }
    }

    void write_ownership(float* owners, float* mask) const {
        const bool judged = target_ && target_->flags & PackedTarget::ownership;
        const bool counted = entry_.flags & PackedEntry::counts;
        *mask = judged || counted ? 1.0f : 0.0f;
        if (judged)
            for (Point point = 0; point < area_; ++point)
                owners[map_[point]] = -static_cast<float>(game_.target_ownership(*target_, point)) / 100.0f;
        else if (counted)
            for (Point point = 0; point < area_; ++point)
                owners[map_[point]] =
                    static_cast<float>(game_.owned(Color::black, point) - game_.owned(Color::white, point));
        else
            std::fill_n(owners, area_, 0.0f);
    }

    void write_final(float* stones) const {
        for (Point point = 0; point < area_; ++point)
            for (int side = 0; side < 2; ++side)
                stones[2 * map_[point] + side] =
                    game_.final_stone(side ? opponent(position_.to_play) : position_.to_play, point) ? 1.0f
                                                                                                     : 0.0f;
    }

    void write_chains(float* chains) const {
        for (Point point = 0; point < area_; ++point)
            chains[map_[point]] =
                is_color(position_.board.at(point)) ? static_cast<float>(position_.board.head(point) + 1) : 0;
    }

    const BodyView& game_;
    const PackedEntry& entry_;
    const Position& position_;
    int number_;
    int area_;
    const Point* map_;
    std::optional<PackedTarget> target_;
};

void fill_row(const GamePool& pool, const Choice& choice, const BatchRequest& request,
              const BatchArrays& arrays, std::size_t row, Replayer& replayer) {
    const BodyView game = pool.files()[choice.file]->body(choice.game);
    const Position& position = replayer.at(game, choice.position, request.planes->whole_game());
    const std::size_t stride = static_cast<std::size_t>(request.planes->channels()) * game.area();
    if (arrays.planes)
        request.planes->encode(position, choice.symmetry, arrays.planes + row * stride, request.layout);
    if (arrays.small_planes)
        request.planes->encode(position, choice.symmetry, arrays.small_planes + row * stride, request.layout);
    Row(game, position, choice, request.use_targets).write(arrays, row);
}

}  // namespace

void fill_batch(const GamePool& pool, const std::vector<Choice>& choices, const BatchRequest& request,
                const BatchArrays& arrays, int threads) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr problem;
    std::mutex problem_lock;
    const auto work = [&] {
        thread_local Replayer replayer;
        try {
            for (std::size_t begin; (begin = next.fetch_add(grain)) < choices.size();)
                for (std::size_t row = begin; row < std::min(begin + grain, choices.size()); ++row)
                    fill_row(pool, choices[row], request, arrays, row, replayer);
        } catch (...) {
            next = choices.size();
            const std::lock_guard lock(problem_lock);
            if (!problem) problem = std::current_exception();
        }
    };
    const int helpers = std::min<int>(threads, static_cast<int>((choices.size() + grain - 1) / grain)) - 1;
    std::vector<std::thread> others;
    for (int i = 0; i < helpers; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (problem) std::rethrow_exception(problem);
}

}  // namespace tesuji
