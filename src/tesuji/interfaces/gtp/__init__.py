"""The engine in every Go client: the Go Text Protocol on a pair of streams."""
