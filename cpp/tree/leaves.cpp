#include "tree/leaves.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "go/symmetry.h"
#include "tree/tree.h"

namespace tesuji {

Leaves::Leaves(const PlaneSet& planes, int size, int rows)
    : plane_set_(&planes), size_(size), capacity_(rows), descent_(size) {
    if (rows < 1) throw std::invalid_argument("leaves need room for at least one row");
    planes_.resize(static_cast<std::size_t>(rows) * planes.channels() * size * size);
    komi_.resize(rows);
    judgement_.policy.resize(size * size + 1);
}

void Leaves::add_rows(Leaf& leaf, const Game& game, int symmetry, int count) {
    const std::size_t stride = static_cast<std::size_t>(plane_set_->channels()) * size_ * size_;
    leaf.row = rows_;
    leaf.rows = count;
    leaf.symmetry = symmetry;
    for (int i = 0; i < count; ++i, ++rows_) {
        plane_set_->encode(game, symmetry + i, planes_.data() + rows_ * stride);
        komi_[rows_] = game.komi();
    }
}

void Leaves::check(const EvaluationRows& evaluation) const {
    if (evaluation.rows != rows_)
        throw std::invalid_argument("the evaluator answered " + std::to_string(evaluation.rows) + " of " +
                                    std::to_string(rows_) + " positions");
    const std::size_t area = static_cast<std::size_t>(size_) * size_;
    for (int row = 0; row < rows_; ++row) {
        const float value = evaluation.value[row];
        // Written so that NaN fails as well; networks round a little beyond the ends.
        if (!(value > -0.001F && value < 1.001F))
            throw std::invalid_argument("the evaluator gave a value of " + std::to_string(value) +
                                        "; values lie between 0 and 1");
        const float* const policy = evaluation.policy + row * (area + 1);
        for (std::size_t move = 0; move <= area; ++move)
            if (!(policy[move] >= 0 && policy[move] < 1e9F))
                throw std::invalid_argument("the evaluator gave a move the probability " +
                                            std::to_string(policy[move]));
        if (evaluation.black_score && !std::isfinite(evaluation.black_score[row]))
            throw std::invalid_argument("the evaluator gave a score that is no number");
    }
}

void Leaves::judge(const Leaf& leaf, const EvaluationRows& evaluation) {
    const int area = size_ * size_;
    const float share = 1.0F / static_cast<float>(leaf.rows);
    const bool owned = evaluation.black_ownership != nullptr;
    judgement_.value = judgement_.black_score = 0;
    judgement_.has_score = evaluation.black_score != nullptr;
    std::fill(judgement_.policy.begin(), judgement_.policy.end(), 0.0F);
    judgement_.black_ownership.assign(owned ? area : 0, 0.0F);
    for (int i = 0; i < leaf.rows; ++i) {
        const std::size_t row = leaf.row + i;
        const PointMap& map = symmetry_map(size_, leaf.symmetry + i);
        const float* const policy = evaluation.policy + row * (area + 1);
        for (int point = 0; point < area; ++point) judgement_.policy[point] += share * policy[map[point]];
        judgement_.policy[area] += share * policy[area];
        judgement_.value += share * std::clamp(evaluation.value[row], 0.0F, 1.0F);
        if (judgement_.has_score) judgement_.black_score += share * evaluation.black_score[row];
        if (!owned) continue;
        const float* const ownership = evaluation.black_ownership + row * area;
        for (int point = 0; point < area; ++point)
            judgement_.black_ownership[point] += share * ownership[map[point]];
    }
}

void Leaves::scatter(const EvaluationRows& evaluation) {
    try {
        check(evaluation);
    } catch (...) {
        abandon();
        throw;
    }
    for (Leaf& leaf : leaves_) {
        judge(leaf, evaluation);
        leaf.tree->accept(leaf, steps_.data(), judgement_);
    }
    leaves_.clear();
    steps_.clear();
    rows_ = 0;
}

void Leaves::abandon() {
    for (Leaf& leaf : leaves_) leaf.tree->abandon(leaf, steps_.data());
    leaves_.clear();
    steps_.clear();
    rows_ = 0;
}

}  // namespace tesuji
