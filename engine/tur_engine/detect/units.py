"""Units and number words: what a quantity is measured in, and its size in the dimension's base unit."""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: `value * factor + offset` gives the base unit of the dimension."""

    name: str
    dimension: str
    factor: float = 1.0
    offset: float = 0.0


UNITS: dict[str, Unit] = {}


def _add(dimension: str, factor: float, words: str, offset: float = 0.0) -> None:
    names = words.split()
    for name in names:
        UNITS[name] = Unit(names[0], dimension, factor, offset)


_add("duration", 1e-9, "ns nanosecond nanoseconds")
_add("duration", 1e-6, "us µs μs microsecond microseconds")
_add("duration", 1e-3, "ms msec msecs millisecond milliseconds millis millisekunden milisegundos millisecondes 毫秒")
_add("duration", 1.0, "s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 秒")
_add("duration", 60.0, "min mins minute minutes minuten minuto minutos 分钟")
_add("duration", 3600.0, "h hr hrs hour hours stunde stunden hora horas heure heures 小时")
_add("duration", 86400.0, "day days tag tage tagen día días dia dias jour jours 天")
_add("duration", 604800.0, "week weeks wk wks woche wochen semana semanas semaine semaines 周")
_add("duration", 1209600.0, "fortnight fortnights")
_add("months", 1.0, "month months monat monate monaten mes meses mois 个月")
_add("months", 3.0, "quarter quarters")
_add("months", 12.0, "year years yr yrs jahr jahre jahren año años an ans année années 年")
_add("months", 120.0, "decade decades")

_add("data", 1.0, "byte bytes octet octets")
for _letter, _power, _words in (
    ("k", 1, "kilobyte kilobytes"),
    ("m", 2, "megabyte megabytes"),
    ("g", 3, "gigabyte gigabytes gig gigs"),
    ("t", 4, "terabyte terabytes"),
    ("p", 5, "petabyte petabytes"),
):
    _add("data", 1000.0**_power, f"{_letter}b {_words}")
    _add("data", 1024.0**_power, f"{_letter}ib {_letter}i {_words.split()[0].replace('byte', '')[:-2]}bibyte")
    _add("bits", 1000.0**_power, f"{_letter}bit {_letter}bits {_words.split()[0].replace('byte', 'bit')}s")
    _add("bits per second", 1000.0**_power, f"{_letter}bps")
_add("bits", 1.0, "bit bits")

_add("length", 1e-9, "nm nanometre nanometres nanometer nanometers")
_add("length", 1e-3, "mm millimetre millimetres millimeter millimeters")
_add("length", 1e-2, "cm centimetre centimetres centimeter centimeters")
_add("length", 1.0, "m metre metres meter meters metro metros mètre mètres 米")
_add("length", 1000.0, "km kilometre kilometres kilometer kilometers kilómetros kilomètres 公里")
_add("length", 0.0254, "inch inches")
_add("length", 0.3048, "ft foot feet")
_add("length", 0.9144, "yard yards")
_add("length", 1609.344, "mile miles mi")
_add("area", 1.0, "sqm m2 m²")
_add("area", 1e4, "ha hectare hectares")
_add("area", 4046.856, "acre acres")
_add("mass", 1e-6, "mg milligram milligrams")
_add("mass", 1e-3, "g gram grams gramme grammes gramm")
_add("mass", 1.0, "kg kilo kilos kilogram kilograms 公斤")
_add("mass", 1000.0, "tonne tonnes t")
_add("mass", 0.45359237, "lb lbs pound_weight")
_add("mass", 0.028349523, "oz ounce ounces")
_add("volume", 1e-3, "ml millilitre millilitres milliliter milliliters")
_add("volume", 1e-2, "cl centilitre centilitres")
_add("volume", 0.1, "dl decilitre decilitres")
_add("volume", 1.0, "l litre litres liter liters")
_add("volume", 0.568261, "pint pints")
_add("volume", 3.785411784, "gallon gallons gal")
_add("temperature", 1.0, "°c celsius centigrade")
_add("temperature", 5 / 9, "°f fahrenheit", offset=-160 / 9)
_add("temperature", 1.0, "kelvin", offset=-273.15)
_add("degrees", 1.0, "° degree degrees grad")
_add("share", 0.01, "% percent pct per-cent prozent")
_add("share", 0.001, "‰ permille")
_add("basis points", 1.0, "bps")
_add("frequency", 1.0, "hz hertz")
_add("frequency", 1e3, "khz")
_add("frequency", 1e6, "mhz")
_add("frequency", 1e9, "ghz")
_add("frequency of beats", 1.0, "bpm")
_add("speed", 1.0, "kmh kph")
_add("speed", 1.609344, "mph")
_add("power", 1.0, "w watt watts")
_add("power", 1e3, "kw kilowatt kilowatts")
_add("power", 1e6, "mw megawatt megawatts")
_add("energy", 1.0, "kwh")
_add("energy", 1e-3, "wh")
_add("energy", 1e3, "mwh")
_add("food energy", 1.0, "kcal calorie calories")
_add("food energy", 1 / 4.184, "kj")
_add("voltage", 1.0, "v volt volts")
_add("voltage", 1e-3, "mv millivolt millivolts")
_add("current", 1.0, "amp amps ampere amperes")
_add("current", 1e-3, "ma milliamp milliamps")
_add("charge", 1.0, "mah")
_add("charge", 1000.0, "ah")
_add("pressure", 1.0, "bar bars")
_add("pressure", 1e-3, "mbar hpa")
_add("pressure", 0.0689476, "psi")
_add("loudness", 1.0, "db decibel decibels")
_add("pixels", 1.0, "px pixel pixels")
_add("rem", 1.0, "rem rems em")
_add("points", 1.0, "pt")
_add("resolution", 1.0, "dpi ppi")
_add("requests per second", 1.0, "rps qps")
_add("requests per minute", 1.0, "rpm")
_add("cpu", 1.0, "vcpu vcpus core cores cpu cpus")
_add("cpu", 1e-3, "millicore millicores")
_add("dollars", 1.0, "$ usd dollar dollars")
_add("dollars", 0.01, "cent cents")
_add("euros", 1.0, "€ eur euro euros")
_add("pounds", 1.0, "£ gbp pound pounds")
_add("pounds", 0.01, "pence")
_add("crowns", 1.0, "sek nok dkk krona kronor kroner")
_add("francs", 1.0, "chf franc francs")
_add("yen", 1.0, "¥ jpy yen")

SHORT = frozenset("s m h g l v w d t k b min in em pt an a mi ma ms gal ha bar".split())
"""Unit signs that are also words or letters: a unit only when written right after the number, or in a plain pair."""

WORDS: dict[str, float] = {
    word: float(value)
    for value, words in {
        0: "zero null cero zéro 零",
        1: "one eins uno une 一",
        2: "two zwei dos deux 二 两",
        3: "three drei tres trois 三",
        4: "four vier cuatro quatre 四",
        5: "five fünf cinco cinq 五",
        6: "six sechs seis 六",
        7: "seven sieben siete sept 七",
        8: "eight acht ocho huit 八",
        9: "nine neun nueve neuf 九",
        10: "ten zehn diez dix 十",
        11: "eleven elf once_es onze",
        12: "twelve zwölf doce douze dozen",
        13: "thirteen dreizehn trece treize",
        14: "fourteen vierzehn catorce quatorze",
        15: "fifteen fünfzehn quince quinze",
        16: "sixteen sechzehn seize",
        17: "seventeen siebzehn",
        18: "eighteen achtzehn",
        19: "nineteen neunzehn",
        20: "twenty zwanzig veinte vingt",
        30: "thirty dreissig treinta trente",
        40: "forty vierzig cuarenta quarante",
        50: "fifty fünfzig cincuenta cinquante",
        60: "sixty sechzig sesenta soixante",
        70: "seventy siebzig setenta",
        80: "eighty achtzig ochenta",
        90: "ninety neunzig noventa",
    }.items()
    for word in words.split()
}
SCALES: dict[str, float] = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "bn": 1e9}

PERIODS: dict[str, float] = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "fortnightly": 1209600.0,
    "biweekly": 1209600.0, "monthly": 2629800.0, "quarterly": 7889400.0, "yearly": 31557600.0, "annually": 31557600.0,
    "stündlich": 3600.0, "täglich": 86400.0, "wöchentlich": 604800.0, "monatlich": 2629800.0, "diariamente": 86400.0,
    "semanalmente": 604800.0, "mensualmente": 2629800.0, "quotidiennement": 86400.0,
}  # fmt: skip
"""How often, told in one word: the seconds from one time to the next."""
MONTH = 2629800.0
TIMES: dict[str, float] = {"once": 1.0, "twice": 2.0, "thrice": 3.0, "einmal": 1.0, "zweimal": 2.0}
