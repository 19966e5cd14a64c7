"""The operations a model file may use: those whose memory the runtime takes from the one pool that is bounded.

Others are refused by name: of strings and of sequences, whose parts lie elsewhere, `Unique`, which keeps a tree of all
it saw, and whatever a later runtime adds.
"""

PLAIN = frozenset(
    """
    Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool BatchNormalization BitShift
    BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Concat Constant ConstantOfShape Conv
    ConvInteger ConvTranspose Cos Cosh CumSum DepthToSpace DequantizeLinear Div Dropout DynamicQuantizeLinear Einsum Elu
    Equal Erf Exp Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool
    GlobalLpPool GlobalMaxPool Greater GreaterOrEqual GroupNormalization HardSigmoid HardSwish Hardmax Identity
    InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax
    LpNormalization LpPool MatMul MatMulInteger Max MaxPool Mean MeanVarianceNormalization Min Mish Mod Mul Neg NonZero
    Not OneHot Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RMSNormalization RNN Range Reciprocal ReduceL1
    ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu
    Reshape Resize RotaryEmbedding Round ScatterElements ScatterND Selu Shape Shrink Sigmoid Sign
    SimplifiedLayerNormalization Sin Sinh Size Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze Sub Sum
    Swish Tan Tanh ThresholdedRelu Tile TopK Transpose Trilu Unsqueeze Upsample Where Xor
    """.split()  # noqa: SIM905 (a list of strings would fill the page)
)
EXTENDED = {("com.microsoft", "MultiHeadAttention"), ("com.microsoft", "RotaryEmbedding")}
"""Of onnxruntime's own: those our translations of KataGo's networks use."""


def is_allowed(domain: str, kind: str) -> bool:
    """Whether a node of this operation may be in a model file."""
    return (domain in {"", "ai.onnx"} and kind in PLAIN) or (domain, kind) in EXTENDED
