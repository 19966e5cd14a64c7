"""Networks in 8-bit integers: made from a model file and real positions, needs the package onnx; playing does not."""
