"""Every name of misread.io, once, with its home."""

from .json_files import read_json as read_json
from .json_files import read_record as read_record
from .json_files import write_json as write_json
from .json_files import write_record as write_record
from .json_files import write_text as write_text
