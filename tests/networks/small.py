"""Small networks of every family, and inputs for them."""

import torch

from tesuji import networks

# One small network of every family, and every head at least once.
SMALL = [
    ("se.2.32.16", 9),
    ("se.2.32.16+pass+komi+ownership", 9),
    ("se.2.32.16+pass+next+score+norelu", 9),
    ("se.2.32.16+komi=30", 13),
    ("mobile.2.24.16", 9),
    ("mobile.conv.avg.bin.2.24.16", 9),
    ("mix.2.24.16", 9),
    ("mix.se.2.24.16+swish+pass+komi", 9),
    ("mobile5.2.24.16+swish+norelu", 9),
    ("mobile5.se.2.24.16", 9),
    ("a0.2.16", 9),
    ("a0.2.16+swish", 9),
    ("a0.2.16+az+pass+next", 9),
    ("a0.conv.avg.bin.2.16", 9),
    ("residual.2.16+sap=1.2", 9),
    ("residual.2.16+next+novalue", 9),
    ("agz.2.16", 9),
    ("toronto.1.16", 9),
    ("gpool.2.16", 9),
    ("gpool.2.16+count=40+next", 13),
    ("se.2.32.16+pass+count+pool", 9),
    ("eformer.1.1.16", 9),
    ("eformer.2.1.16+pass+komi+ownership", 9),
    ("rt.rtr.16", 9),
    ("rt.t.48+pass+swish", 13),
    ("alpha.2.16", 19),
    ("sap.1.1.1.16", 19),
    ("se.1.32.16+sap+nine", 19),
]


def random_input(network: networks.Network, batch: int = 3, size: int | None = None) -> torch.Tensor:
    description = network.description
    size = size or description.size
    planes = (torch.rand(batch, description.channels, size, size, generator=torch.manual_seed(1)) < 0.3).float()
    if description.black_plane is not None:
        planes[:, description.black_plane] = (torch.arange(batch) % 2).float()[:, None, None]
    return planes


def trained(name: str, size: int) -> networks.Network:
    """A network whose batch norms have seen something, so that folding them matters."""
    torch.manual_seed(3)
    network = networks.create(name, size=size)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            assert module.running_mean is not None
            assert module.running_var is not None
            torch.nn.init.normal_(module.running_mean, 0, 0.2)
            torch.nn.init.uniform_(module.running_var, 0.5, 2)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
    return network.eval()
