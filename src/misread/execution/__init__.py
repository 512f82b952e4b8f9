"""Executors of many tasks, in processes of this machine."""

from misread.execution.executor import Executor as Executor
from misread.execution.executor import Local as Local
