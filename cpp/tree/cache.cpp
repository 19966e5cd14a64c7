#include "tree/cache.h"

#include <algorithm>
#include <stdexcept>

namespace tesuji {

EvaluationCache::EvaluationCache(int entries, int size) : size_(size), slots_(std::max(entries, 0)) {
    if (entries < 1) throw std::invalid_argument("an evaluation cache needs at least one entry");
    policies_.resize(slots_.size() * (static_cast<std::size_t>(size) * size + 1));
}

bool EvaluationCache::find(std::uint64_t key, Judgement& judgement) const {
    const std::lock_guard lock(mutex_);
    const std::size_t index = slot_of(key), area = static_cast<std::size_t>(size_) * size_;
    const Slot& slot = slots_[index];
    if (!slot.used || slot.key != key) return false;
    judgement.value = slot.value;
    judgement.black_score = slot.black_score;
    judgement.has_score = slot.has_score;
    const float* const policy = policies_.data() + index * (area + 1);
    judgement.policy.assign(policy, policy + area + 1);
    judgement.black_ownership.clear();
    if (slot.has_ownership) {
        const float* const ownership = ownerships_.data() + index * area;
        judgement.black_ownership.assign(ownership, ownership + area);
    }
    ++hits_;
    return true;
}

void EvaluationCache::store(std::uint64_t key, const Judgement& judgement) {
    const std::lock_guard lock(mutex_);
    const std::size_t index = slot_of(key), area = static_cast<std::size_t>(size_) * size_;
    const bool owned = !judgement.black_ownership.empty();
    slots_[index] = {key, judgement.value, judgement.black_score, true, judgement.has_score, owned};
    std::copy(judgement.policy.begin(), judgement.policy.end(), policies_.data() + index * (area + 1));
    if (!owned) return;
    if (ownerships_.empty()) ownerships_.resize(slots_.size() * area);
    std::copy(judgement.black_ownership.begin(), judgement.black_ownership.end(),
              ownerships_.data() + index * area);
}

std::uint64_t EvaluationCache::hits() const {
    const std::lock_guard lock(mutex_);
    return hits_;
}

void EvaluationCache::clear() {
    const std::lock_guard lock(mutex_);
    std::fill(slots_.begin(), slots_.end(), Slot{});
}

}  // namespace tesuji
