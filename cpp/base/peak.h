// What one core can reckon at most: loops that multiply and add in its widest registers and do nothing else.
#pragma once

namespace tesuji {

// Runs the loop and returns how many operations it did, two for each product that is added; the caller has
// the clock. Zero where this processor, or this compiler, has no instruction made for it.
double peak_in_floats(long rounds);
double peak_in_bytes(long rounds);  // products of 8-bit integers, added up in 32 bits

}  // namespace tesuji
