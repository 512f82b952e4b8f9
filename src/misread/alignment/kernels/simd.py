"""Vectors of eight 64-bit words inside compiled code.

Numba has no vector type, and LLVM does not find the parallelism of a bit-parallel alignment by itself: the state would
go through memory at every step. Here a vector is one LLVM value, which stays in a register. LLVM splits it where the
machine has shorter registers, so that this is plain arithmetic on every machine: with AVX-512 one instruction each,
with AVX2 two, with NEON four.
"""

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, extending, types
from numba.core.extending import models, register_model
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature

LANES: Final = 8

Lanes = Any
"""A vector in annotations; it exists in compiled code only."""

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)
_MASK_BITS: Final = 64


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """As Numba's: the function is given types and returns a signature and what builds the instructions."""
    compiled: Callable[..., Any] = extending.intrinsic(function)
    return compiled


class LanesType(types.Type):
    """Numba's name for the vector."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes_type: Final = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, numba_type: LanesType) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _add_operator(function: Any, instruction: str) -> None:
    @infer_global(function)
    class _Typing(ConcreteTemplate):  # type: ignore[misc]
        cases = (signature(lanes_type, lanes_type, lanes_type),)

    @lower_builtin(function, lanes_type, lanes_type)  # type: ignore[untyped-decorator]
    def _lower(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return getattr(builder, instruction)(*arguments)


_add_operator(operator.and_, "and_")
_add_operator(operator.or_, "or_")
_add_operator(operator.xor, "xor")
_add_operator(operator.add, "add")
_add_operator(operator.sub, "sub")


@infer_global(operator.invert)
class _InvertTyping(ConcreteTemplate):  # type: ignore[misc]
    cases = (signature(lanes_type, lanes_type),)


@lower_builtin(operator.invert, lanes_type)  # type: ignore[untyped-decorator]
def _lower_invert(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
    return builder.not_(arguments[0])


def _splat(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    first_lane = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.IntType(32)(0))
    return builder.shuffle_vector(first_lane, ir.Constant(_VECTOR, ir.Undefined), _lane_numbers([0] * LANES))


def _lane_numbers(numbers: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), numbers)


def _pointer(context: Any, builder: ir.IRBuilder, array_type: Any, array: ir.Value, index: ir.Value) -> ir.Value:
    """Address of array[index], without a check of bounds."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index])


def _load(builder: ir.IRBuilder, pointer: ir.Value, vector: ir.Type, align: int) -> ir.Value:
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=align)


def _load_codes(context: Any, builder: ir.IRBuilder, array_type: Any, array: ir.Value, index: ir.Value) -> ir.Value:
    width = array_type.dtype.bitwidth
    vector = ir.VectorType(ir.IntType(width), _MASK_BITS)
    return _load(builder, _pointer(context, builder, array_type, array, index), vector, width // 8)


@intrinsic
def splat(_typing: Any, word: Any) -> Any:
    """Vector with the same word in every lane."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return _splat(builder, arguments[0])

    return lanes_type(types.uint64), build


@intrinsic
def load_lanes(_typing: Any, words: Any, index: Any) -> Any:
    """Vector of words[index : index + 8]."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        return _load(builder, _pointer(context, builder, call.args[0], *arguments), _VECTOR, 8)

    return lanes_type(words, types.intp), build


@intrinsic
def store_lanes(_typing: Any, words: Any, index: Any, lanes: Any) -> Any:
    """Write words[index : index + 8]."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        pointer = _pointer(context, builder, call.args[0], arguments[0], arguments[1])
        builder.store(arguments[2], builder.bitcast(pointer, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(words, types.intp, lanes_type), build


@intrinsic
def shift_up(_typing: Any, lanes: Any, entering: Any) -> Any:
    """Move every lane to the next one; lane 0 of `entering` becomes lane 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.shuffle_vector(*arguments, _lane_numbers([LANES, *range(LANES - 1)]))

    return lanes_type(lanes_type, lanes_type), build


@intrinsic
def double_with(_typing: Any, lanes: Any, below: Any) -> Any:
    """Shift every word left by one; the top bit of `below` enters at bit 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        shape = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        funnel = cgutils.get_or_insert_function(builder.module, shape, f"llvm.fshl.v{LANES}i64")
        return builder.call(funnel, [*arguments, ir.Constant(_VECTOR, [1] * LANES)])

    return lanes_type(lanes_type, lanes_type), build


@intrinsic
def halve(_typing: Any, lanes: Any) -> Any:
    """Shift every word right by one."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.lshr(arguments[0], ir.Constant(_VECTOR, [1] * LANES))

    return lanes_type(lanes_type), build


@intrinsic
def top_bit_down(_typing: Any, lanes: Any) -> Any:
    """Top bit of every word, at bit 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.lshr(arguments[0], ir.Constant(_VECTOR, [63] * LANES))

    return lanes_type(lanes_type), build


@intrinsic
def last_top_bit(_typing: Any, lanes: Any) -> Any:
    """Top bit of the last lane, as 0 or 1."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        signs = builder.icmp_signed("<", arguments[0], ir.Constant(_VECTOR, [0] * LANES))
        mask = builder.bitcast(signs, ir.IntType(LANES))
        return builder.lshr(mask, mask.type(LANES - 1))

    return types.uint8(lanes_type), build


@intrinsic
def fill_below_top_bit(_typing: Any, lanes: Any) -> Any:
    """Set every bit below the highest one of each word; 0 stays 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        shape = ir.FunctionType(_VECTOR, [_VECTOR, ir.IntType(1)])
        count = cgutils.get_or_insert_function(builder.module, shape, f"llvm.ctlz.v{LANES}i64")
        zeros = builder.call(count, [arguments[0], ir.IntType(1)(0)])
        filled = builder.lshr(ir.Constant(_VECTOR, [2**64 - 1] * LANES), zeros)
        empty = builder.icmp_unsigned("==", arguments[0], ir.Constant(_VECTOR, [0] * LANES))
        return builder.select(empty, ir.Constant(_VECTOR, [0] * LANES), filled)

    return lanes_type(lanes_type), build


@intrinsic
def where_any(_typing: Any, lanes: Any) -> Any:
    """All ones in the lanes that are not 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        full = builder.icmp_unsigned("!=", arguments[0], ir.Constant(_VECTOR, [0] * LANES))
        return builder.sext(full, _VECTOR)

    return lanes_type(lanes_type), build


@intrinsic
def where_less(_typing: Any, left: Any, right: Any) -> Any:
    """All ones in the lanes where left < right, unsigned."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.sext(builder.icmp_unsigned("<", *arguments), _VECTOR)

    return lanes_type(lanes_type, lanes_type), build


@intrinsic
def mix_ones(_typing: Any, even: Any, odd: Any) -> Any:
    """Lanes 0, 2, 4, 6 of `even` and 1, 3, 5, 7 of `odd`."""
    return lanes_type(lanes_type, lanes_type), _build_mix(1)


@intrinsic
def mix_twos(_typing: Any, even: Any, odd: Any) -> Any:
    """Lanes 0, 1, 4, 5 of `even` and 2, 3, 6, 7 of `odd`."""
    return lanes_type(lanes_type, lanes_type), _build_mix(2)


@intrinsic
def mix_fours(_typing: Any, even: Any, odd: Any) -> Any:
    """Lanes 0 to 3 of `even` and 4 to 7 of `odd`."""
    return lanes_type(lanes_type, lanes_type), _build_mix(4)


def _build_mix(bit: int) -> Any:
    numbers = [lane + LANES if lane & bit else lane for lane in range(LANES)]

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.shuffle_vector(*arguments, _lane_numbers(numbers))

    return build


@intrinsic
def equal_mask(_typing: Any, codes: Any, index: Any, code: Any) -> Any:
    """Bits of the places among codes[index : index + 64] that hold `code`."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        units = _load_codes(context, builder, call.args[0], arguments[0], arguments[1])
        return _compare(builder, units, arguments[2])

    return types.uint64(codes, types.intp, codes.dtype), build


@intrinsic
def store_equal_masks(
    _typing: Any, masks: Any, lane: Any, codes: Any, index: Any, others: Any, first: Any, number: Any
) -> Any:
    """Write to masks[8 * row + lane], for `number` rows, `equal_mask(codes, index, others[first + row])`.

    The codes are loaded once: LLVM cannot tell that no mask is written over them.
    """

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        units = _load_codes(context, builder, call.args[2], *arguments[2:4])
        target = _pointer(context, builder, call.args[0], *arguments[:2])
        source = _pointer(context, builder, call.args[4], *arguments[4:6])
        with cgutils.for_range(builder, arguments[6]) as loop:
            code = builder.load(builder.gep(source, [loop.index]))
            row = builder.mul(loop.index, loop.index.type(LANES))
            builder.store(_compare(builder, units, code), builder.gep(target, [row]))
        return context.get_dummy_value()

    return types.void(masks, types.intp, codes, types.intp, others, types.intp, types.intp), build


def _compare(builder: ir.IRBuilder, units: ir.Value, code: ir.Value) -> ir.Value:
    """Bits of the units that equal a code."""
    undefined = ir.Constant(units.type, ir.Undefined)
    first_unit = builder.insert_element(undefined, code, ir.IntType(32)(0))
    numbers = ir.Constant(ir.VectorType(ir.IntType(32), _MASK_BITS), [0] * _MASK_BITS)
    every = builder.shuffle_vector(first_unit, undefined, numbers)
    return builder.bitcast(builder.icmp_unsigned("==", units, every), _WORD)


@intrinsic
def differing_mask(_typing: Any, left: Any, left_index: Any, right: Any, right_index: Any) -> Any:
    """Bits of the places where left[left_index : left_index + 64] and the same of `right` differ."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        units = _load_codes(context, builder, call.args[0], arguments[0], arguments[1])
        others = _load_codes(context, builder, call.args[2], arguments[2], arguments[3])
        return builder.bitcast(builder.icmp_unsigned("!=", units, others), _WORD)

    return types.uint64(left, types.intp, right, types.intp), build


@intrinsic
def copy_widened(_typing: Any, data: Any, index: Any, codes: Any, target_index: Any) -> Any:
    """Write data[index : index + 64], which are bytes, to the 64 codes from `target_index`, which may be wider."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        units = _load_codes(context, builder, call.args[0], arguments[0], arguments[1])
        width = call.args[2].dtype.bitwidth
        wide = ir.VectorType(ir.IntType(width), _MASK_BITS)
        pointer = _pointer(context, builder, call.args[2], arguments[2], arguments[3])
        widened = units if width == units.type.element.width else builder.zext(units, wide)
        builder.store(widened, builder.bitcast(pointer, wide.as_pointer()), align=width // 8)
        return context.get_dummy_value()

    return types.void(data, types.intp, codes, types.intp), build


@intrinsic
def count_ones(_typing: Any, word: Any) -> Any:
    """How many bits are set."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.ctpop(arguments[0])

    return types.intp(types.uint64), build


@intrinsic
def count_zeros_above(_typing: Any, word: Any) -> Any:
    """Zeros above the highest one; 64 for 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.ctlz(arguments[0], ir.IntType(1)(0))

    return types.intp(types.uint64), build


@intrinsic
def count_zeros_below(_typing: Any, word: Any) -> Any:
    """Zeros below the lowest one; 64 for 0."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.intp(types.uint64), build


@intrinsic
def equal_lanes(_typing: Any, words: Any, index: Any, word: Any) -> Any:
    """Bits of the places among words[index : index + 8] that hold `word`."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        lanes = _load(builder, _pointer(context, builder, call.args[0], *arguments[:2]), _VECTOR, 8)
        same = builder.icmp_unsigned("==", lanes, _splat(builder, arguments[2]))
        return builder.zext(builder.bitcast(same, ir.IntType(LANES)), _WORD)

    return types.uint64(words, types.intp, types.uint64), build


@intrinsic
def load_word(_typing: Any, codes: Any, index: Any) -> Any:
    """The 64 bits that begin at codes[index]."""

    def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
        pointer = _pointer(context, builder, call.args[0], *arguments)
        return _load(builder, pointer, _WORD, call.args[0].dtype.bitwidth // 8)

    return types.uint64(codes, types.intp), build


@intrinsic
def codes_in_word(_typing: Any, codes: Any) -> Any:
    """How many codes 64 bits hold: a constant, where `codes.itemsize` is read and divided by at every use."""

    def build(_context: Any, _builder: ir.IRBuilder, call: Any, _arguments: Any) -> ir.Value:
        return ir.IntType(64)(64 // call.args[0].dtype.bitwidth)

    return types.intp(codes), build


def make_member_mask(ranges: tuple[tuple[int, int], ...]) -> Any:
    """Make an intrinsic `member_mask(codes, index)` for codes within ranges, each given by its first and last code.

    It returns 64 bits: the places among codes[index : index + 64] that have such a code.
    """

    @intrinsic
    def member_mask(_typing: Any, codes: Any, index: Any) -> Any:
        def build(context: Any, builder: ir.IRBuilder, call: Any, arguments: Any) -> ir.Value:
            units = _load_codes(context, builder, call.args[0], *arguments)
            highest = 2 ** call.args[0].dtype.bitwidth - 1
            mask = _WORD(0)
            for first, last in ranges:
                if first > highest:
                    continue
                start = ir.Constant(units.type, [first] * _MASK_BITS)
                reach = ir.Constant(units.type, [min(last, highest) - first] * _MASK_BITS)
                inside = builder.icmp_unsigned("<=", builder.sub(units, start), reach)
                mask = builder.or_(mask, builder.bitcast(inside, _WORD))
            return mask

        return types.uint64(codes, types.intp), build

    return member_mask
