// Evaluations remembered beyond one tree: openings that many games share, positions seen before a tree was
// dropped.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tree/leaves.h"

namespace tesuji {

// Every position has one slot; a newer one there takes its place. Shared by trees and threads.
class EvaluationCache {
  public:
    EvaluationCache(int entries, int size);

    bool find(std::uint64_t key, Judgement& judgement) const;
    void store(std::uint64_t key, const Judgement& judgement);

    int size() const { return size_; }
    std::uint64_t hits() const;
    void clear();

  private:
    struct Slot {
        std::uint64_t key = 0;
        float value = 0, black_score = 0;
        bool used = false, has_score = false, has_ownership = false;
    };

    std::size_t slot_of(std::uint64_t key) const { return (key >> 20) % slots_.size(); }

    int size_;
    mutable std::mutex mutex_;
    mutable std::uint64_t hits_ = 0;
    std::vector<Slot> slots_;
    std::vector<float> policies_,
        ownerships_;  // area + 1 and area numbers for each slot; ownerships once there are any
};

}  // namespace tesuji
