// A mutex that knows how long threads have waited for it.
#pragma once

#include <chrono>
#include <mutex>

namespace tesuji {

class WatchedMutex {
  public:
    void lock() {
        if (mutex_.try_lock()) return;  // the usual case costs no look at the clock
        const auto start = std::chrono::steady_clock::now();
        mutex_.lock();
        waited_ += std::chrono::steady_clock::now() - start;
    }
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() { mutex_.unlock(); }

    // Seconds, all threads together; ask only while holding it.
    double waited() const { return std::chrono::duration<double>(waited_).count(); }

  private:
    std::mutex mutex_;
    std::chrono::steady_clock::duration waited_{};
};

}  // namespace tesuji
