// What a search may vary: the bandit, the first-play value, transpositions, symmetries, noise, proofs,
// limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "go/types.h"

namespace tesuji {

// The value of a move nobody has tried: the parent's mean so far, the network's own value of the parent, the
// mean of the tried siblings, the best mean among them, or a constant.
enum class FirstPlay : std::uint8_t { parent, network, siblings, best, fixed };
// What a descent under way counts as until its evaluation comes: lost, or as good as its move is so far.
enum class Penalty : std::uint8_t { loss, mean };
enum class Symmetries : std::uint8_t { none, random, all };

inline constexpr std::uint32_t unlimited_visits = std::numeric_limits<std::uint32_t>::max();

struct TreeOptions {
    // Q + c * P * N^tau / (1 + n); tau = 0.5 is PUCT.
    double c = 0.5;
    double tau = 0.5;
    double c_log = 0;     // added to c, times ln((N + c_base) / c_base)
    double c_base = 500;  // visits at which that growth begins to matter
    double c_spread = 0;  // how far c follows the spread of the values at the node; 1 is in proportion
    FirstPlay first_play = FirstPlay::parent;
    double first_play_reduction = 0;  // taken off, times the root of the tried moves' prior mass
    double first_play_value = 0.5;    // for FirstPlay::fixed
    Penalty penalty = Penalty::loss;
    double penalty_weight = 1;  // how many descents one under way counts as
    double correction = 0;  // share of the expected error, by local pattern, taken off the network's values
    int batch_growth = 0;   // visits of the root for each leaf of one `gather`; 0 sets no limit

    // The expected score in the utility of a move, each times an S-curve of the lead: from an even game, and
    // from the lead the root has.
    double score_weight = 0;
    double score_weight_near = 0;
    // The least these two are in a game with a handicap, near the root's lead; a third of it around an even
    // game.
    double handicap_score = 0;

    // Positions that tell nodes apart: 0 makes a pure tree, 1 merges equal boards, k also compares the k - 1
    // before.
    int history = 8;
    Symmetries symmetries = Symmetries::none;
    bool root_symmetries = false;  // all eight views of the root, whatever the leaves are given
    double root_temperature = 1;   // of the root's priors: above 1 evens them out
    bool second_move = false;      // once the first move cannot be overtaken, the second is searched alone
    bool prove = true;             // a proven win or loss is final
    bool early_stop = false;       // once the most visited move cannot be overtaken

    // Pass by rule, where the network's policy has no pass.
    bool has_pass = true;
    float pass_prior = 0.01F;      // while sensible moves exist
    float pass_back_prior = 0.3F;  // after the opponent's pass

    double noise = 0;        // weight of Dirichlet noise in the root's priors
    double noise_alpha = 0;  // 0: 10.83 / number of legal moves, which is 0.03 on an empty 19x19 board
    int gumbel_moves = 0;    // moves that enter sequential halving at the root; 0 is plain PUCT
    double gumbel_scale = 0.1;
    double gumbel_noise = 1;

    std::size_t memory = std::size_t{2} << 30;  // bytes; the search stops there
    std::uint64_t seed = 1;
};

// Moves allowed or avoided for one colour near the root, as analysis clients ask.
struct Restriction {
    Color color = Color::black;
    PointSet points;
    bool pass_included = false;
    bool allow = false;   // true: nothing but these; false: none of these
    int until_depth = 1;  // plies from the root

    bool forbids(Move move, Color mover, int ply) const {
        if (mover != color || ply >= until_depth) return false;
        const bool included = move == pass ? pass_included : points.contains(move);
        return included != allow;
    }
};

}  // namespace tesuji
