"""Executors of many tasks, in processes of this machine or on the workers of a Dask scheduler, with equal results."""

from misread.execution.dask import Dask as Dask
from misread.execution.executor import Executor as Executor
from misread.execution.local import Local as Local
