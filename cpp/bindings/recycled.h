// Large arrays from memory that is kept for the next batch: fresh pages cost as much as filling them.
#pragma once

#include <nanobind/ndarray.h>

#include <mutex>
#include <vector>

#include "bindings.h"

namespace tesuji {

class RecycledMemory {
  public:
    static RecycledMemory& shared() {
        static auto* memory = new RecycledMemory;  // outlives every array
        return *memory;
    }

    // At least so many bytes; what they hold is undefined. They come back through `give_back`.
    struct Block {
        std::size_t bytes;
        void* data;
    };
    Block* take(std::size_t bytes) {
        const std::lock_guard guard(lock_);
        for (std::size_t i = 0; i < free_.size(); ++i)
            if (free_[i]->bytes == bytes) {
                Block* block = free_[i];
                free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
                return block;
            }
        return new Block{bytes, ::operator new(bytes, std::align_val_t{64})};
    }
    void give_back(Block* block) noexcept {
        const std::lock_guard guard(lock_);
        free_.push_back(block);
        if (free_.size() <= most_kept) return;
        ::operator delete(free_.front()->data, std::align_val_t{64});
        delete free_.front();
        free_.erase(free_.begin());
    }

  private:
    static constexpr std::size_t most_kept = 4;
    std::mutex lock_;
    std::vector<Block*> free_;
};

template <typename Number>
nb::ndarray<nb::numpy, Number, nb::ndim<4>> recycled_array(const std::vector<std::size_t>& shape) {
    std::size_t bytes = sizeof(Number);
    for (std::size_t length : shape) bytes *= length;
    RecycledMemory::Block* block = RecycledMemory::shared().take(bytes);
    nb::capsule owner(block, [](void* pointer) noexcept {
        RecycledMemory::shared().give_back(static_cast<RecycledMemory::Block*>(pointer));
    });
    return {block->data, shape.size(), shape.data(), owner};
}

}  // namespace tesuji
