from .decomposition import Part as Part
from .decomposition import Parts as Parts
from .decomposition import decompose as decompose
