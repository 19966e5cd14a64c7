// Positions on their way to the network: what `gather` fills and `scatter` takes back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "go/game.h"
#include "planes/planes.h"
#include "tree/descent.h"
#include "tree/node.h"

namespace tesuji {

class Tree;

// A network's answer to all rows of a batch; the last two are null where it has no such output.
struct EvaluationRows {
    int rows = 0;
    const float* policy = nullptr;           // [rows, area + 1], pass last
    const float* value = nullptr;            // [rows], for the player to move
    const float* black_score = nullptr;      // [rows], Black's lead on the board
    const float* black_ownership = nullptr;  // [rows, area], -1 to 1
};

// The answer for one position, seen without any symmetry.
struct Judgement {
    std::vector<float> policy;
    std::vector<float> black_ownership;  // empty where unknown
    float value = 0.5F;
    float black_score = 0;
    bool has_score = false;
};

struct Leaf {
    Tree* tree;
    Node* node;
    std::uint32_t first_step, end_step;  // its descent, in Leaves::steps
    int row, rows;                       // its rows of the batch: one, or eight symmetries
    int symmetry;                        // of the first row
    float pass_prior;                    // by rule; negative where the network's counts
    std::uint64_t cache_key;             // names the evaluation in the cache
    std::unique_ptr<Game>
        ending;  // set where two passes ended a game whose dead stones the network must tell
};

class Leaves {
  public:
    Leaves(const PlaneSet& planes, int size, int rows);
    ~Leaves() { abandon(); }
    Leaves(const Leaves&) = delete;
    Leaves& operator=(const Leaves&) = delete;

    const PlaneSet& plane_set() const { return *plane_set_; }
    int size() const { return size_; }
    int rows() const { return rows_; }
    int room() const { return capacity_ - rows_; }
    std::size_t count() const { return leaves_.size(); }
    float* planes() { return planes_.data(); }
    float* komi() { return komi_.data(); }

    // Hands every answer to its tree. Throws std::invalid_argument, and takes all descents back, when the
    // shape is wrong or a number is not finite or out of range.
    void scatter(const EvaluationRows& evaluation);
    // Takes all descents back, as if they had never been made.
    void abandon();

  private:
    friend class Tree;

    void add_rows(Leaf& leaf, const Game& game, int symmetry, int count);
    void check(const EvaluationRows& evaluation) const;
    void judge(const Leaf& leaf, const EvaluationRows& evaluation);

    const PlaneSet* plane_set_;
    int size_, capacity_, rows_ = 0;
    std::vector<float> planes_, komi_;
    std::vector<Leaf> leaves_;
    std::vector<Step> steps_;
    Judgement judgement_;
    Descent descent_;  // of the thread that fills these leaves
};

}  // namespace tesuji
