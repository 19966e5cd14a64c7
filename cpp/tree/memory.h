// The memory of one tree: nodes and their arrays are cut from growing blocks and freed all at once.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace tesuji {

class Memory {
  public:
    // Zero bytes are never asked for.
    void* allocate(std::size_t bytes, std::size_t alignment = 8);

    // Edge lists grow by doubling; what they leave behind is given to the next list of that size.
    void* allocate_list(std::size_t entry_bytes, int room_log2);
    void recycle_list(void* list, int room_log2) { free_lists_[room_log2].push_back(list); }

    std::size_t bytes() const { return bytes_ - left_; }  // given out

  private:
    static constexpr std::size_t first_block = std::size_t{1} << 14, largest_block = std::size_t{1} << 21;

    struct Release {
        std::align_val_t aligned;
        void operator()(void* block) const { ::operator delete(block, aligned); }
    };

    std::vector<std::unique_ptr<void, Release>> blocks_;
    std::byte* free_ = nullptr;
    std::size_t left_ = 0, bytes_ = 0;
    std::array<std::vector<void*>, 16> free_lists_;
};

}  // namespace tesuji
