"""Whole games judged: what each move cost, why, and what would have been better."""
