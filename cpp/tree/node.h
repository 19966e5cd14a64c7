// A position of the tree and the moves tried from it.
#pragma once

#include <cstdint>

#include "go/types.h"

namespace tesuji {

struct Node;

// One tried move: 32 bytes, all that a descent needs of it, two to a cache line.
struct Edge {
    double sum = 0;  // of the values of its descents, for the player who makes the move
    Node* child = nullptr;
    float squares = 0;  // of the same values, for confidence bounds
    float prior = 0;
    std::uint32_t visits = 0;
    Move move = pass;
    std::uint16_t pending : 15 = 0;  // descents that wait for their evaluation
    std::uint16_t lost : 1 = 0;  // proven: the opponent wins after it. Kept here to spare a look at the child

    double mean() const { return sum / visits; }
};
static_assert(sizeof(Edge) == 32);

enum class State : std::uint8_t {
    fresh,     // seen, not evaluated
    pending,   // its evaluation is under way
    expanded,  // has moves with priors
    terminal,  // the game is over here
};

// What is certain for the player to move, whatever the evaluations say.
enum class Proof : std::uint8_t { none, loss, win };

// Moves are sorted by prior as far as `sorted`. All untried moves share one first-play value, so the best of
// them is the one with the highest prior, and the tried moves are always the first `edge_count` of the list:
// a node carries statistics for these alone, and a descent never looks at the others.
struct alignas(64) Node {
    std::uint64_t key = 0;
    double sum = 0;  // of values for the player to move, its own evaluation included
    float* priors = nullptr;
    Edge* edges = nullptr;
    std::uint32_t visits = 0;   // 1 + the visits of its edges, once expanded
    std::uint32_t pending = 0;  // descents under way through its edges
    float value = 0.5F;         // the network's, for the player to move
    float score_sum = 0;        // of Black's lead on the board
    float next_prior = 0;       // of the best untried move
    std::uint16_t move_count = 0;
    std::uint16_t edge_count = 0;
    std::uint16_t edge_room = 0;
    std::uint16_t sorted = 0;
    State state = State::fresh;
    Proof proof = Proof::none;
    bool shared = false;  // reached by more than one move, so its path is not unique

    Move* moves() { return reinterpret_cast<Move*>(priors + move_count); }
    const Move* moves() const { return reinterpret_cast<const Move*>(priors + move_count); }
    double mean() const { return visits ? sum / visits : value; }
    // What is certain here on every path, and so may decide what is certain above. Superko may allow on one
    // path what it forbids on another; the end of a game is the same on all.
    Proof exported_proof() const { return shared && state != State::terminal ? Proof::none : proof; }
    double mean_score() const { return visits ? static_cast<double>(score_sum) / visits : 0; }
};

static_assert(sizeof(Node) == 64);

// One move of a descent.
struct Step {
    Node* node;
    std::uint32_t edge;
    std::uint32_t pattern;  // of the shape the move made; 0 where nobody asks
};

}  // namespace tesuji
