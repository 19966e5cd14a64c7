// The transposition table: finds the node of a position by its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/node.h"

namespace tesuji {

class Table {
  public:
    Node* find(std::uint64_t key) const {
        if (slots_.empty()) return nullptr;
        for (std::size_t i = key & mask(); slots_[i]; i = (i + 1) & mask())
            if (slots_[i]->key == key) return slots_[i];
        return nullptr;
    }

    void insert(Node* node) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        place(node);
        ++count_;
    }

    std::size_t bytes() const { return slots_.size() * sizeof(Node*); }

  private:
    std::size_t mask() const { return slots_.size() - 1; }

    void place(Node* node) {
        std::size_t i = node->key & mask();
        while (slots_[i]) i = (i + 1) & mask();
        slots_[i] = node;
    }

    void grow() {
        std::vector<Node*> old(slots_.empty() ? 64 : 2 * slots_.size(), nullptr);
        old.swap(slots_);
        for (Node* const node : old)
            if (node) place(node);
    }

    std::vector<Node*> slots_;
    std::size_t count_ = 0;
};

}  // namespace tesuji
