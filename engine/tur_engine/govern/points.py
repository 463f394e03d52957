"""Which 32 bytes can be a public key: an Ed25519 point that somebody can hold the private half of (RFC 8032).

The library takes any 32 bytes for a key. Bytes that are no point fit no signature, so a mistyped key would sign nothing
for ever; for a point of small order anybody can make signatures that hold.
"""

from __future__ import annotations

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P

_Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T (RFC 8032, 5.1.4)."""
_NEUTRAL: _Point = (0, 1, 1, 0)


def can_sign(raw: bytes) -> bool:
    """True where these bytes are a point of the group that private keys make, and not its neutral element."""
    point = _decoded(raw)
    return point is not None and not _is_neutral(point) and _is_neutral(_times(_ORDER, point))


def _decoded(raw: bytes) -> _Point | None:
    """RFC 8032, 5.1.3."""
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(raw) != 32 or y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


def _times(factor: int, point: _Point) -> _Point:
    found = _NEUTRAL
    for bit in bin(factor)[2:]:
        found = _sum(found, found)
        if bit == "1":
            found = _sum(found, point)
    return found


def _sum(one: _Point, other: _Point) -> _Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * t1 * t2 * _D % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _is_neutral(point: _Point) -> bool:
    x, y, z, _ = point
    return x == 0 and (y - z) % _P == 0
