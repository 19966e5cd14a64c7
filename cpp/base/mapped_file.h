// A file seen as memory, read-only; nothing is copied and the pages belong to the system's cache.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tesuji {

// What the system refused: becomes OSError in Python.
class FileError : public std::runtime_error {
  public:
    FileError(int code, const std::string& path, const std::string& doing);
    int code() const { return code_; }
    const std::string& path() const { return path_; }

  private:
    int code_;
    std::string path_;
};

class MappedFile {
  public:
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const unsigned char* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

  private:
    const unsigned char* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace tesuji
