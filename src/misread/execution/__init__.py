"""Where work on many tasks runs: in processes here, or on the workers of a Dask scheduler; the results are the same."""

from misread.execution.dask import Dask as Dask
from misread.execution.executor import Executor as Executor
from misread.execution.local import Local as Local
