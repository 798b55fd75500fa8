"""Literals that any program may hold: constants of mathematics, machines and protocols. Finding one says nothing."""

from __future__ import annotations

_NUMBERS = """
1234 12345 123456 1234567 12345678 123456789 1234567890 4321 54321 1337 31337 0.1234 1.234 12.34 123.45
3.1415 3.1416 3.14159 3.141592 3.1415926 3.14159265 3.141592653589793 6.283185307179586 6.2832 1.5708
2.7182 2.7183 2.71828 2.718281828 2.718281828459045 1.4142 1.41421 1.414213562 1.4142135623730951 1.732 1.7321
1.618 1.6180 1.61803 0.6931 0.693147 0.6931471805599453 0.7071 0.70710678 2.3026 2.302585 0.5772 57.2958
3600 86400 604800 1440 10080 525600 31536000 31557600 31622400 86399 1461 146097 365.25 719163 719468
1609.344 1.609344 0.3048 2.2046 453.592 273.15 459.67 299792458 9.8066 9.80665 6.022 8.314 6371 6378137 6371.0088
2147483647 2147483648 4294967295 4294967296 9223372036854775807 18446744073709551615 65535 65536
5432 3306 6379 27017 9092 8443 9090 11211 5672 1521 1433 3389 4317 4318 2375 2376 8888
2166136261 16777619 14695981039346656037 1099511628211 5381 1664525 1013904223 1103515245 48271 69621 16807
2654435761 2654435769 3735928559 3405691582 3735929054 4277009102 998244353 1000000007 1000000009 65537 104729 7919
8601 3339 2822 4122 8859 7519 4648 2119 9110 8259
"""
_WORDS = """
__main__ __name__ __init__ __file__ __all__ __dict__ __class__ __version__ utf-8-sig latin-1 latin1 iso-8859-1 strict
ignore replace surrogateescape localhost 127.0.0.1 0.0.0.0 http:// https:// application/json text/plain text/html
content-type content-length authorization accept user-agent default string number integer boolean object function
undefined symbol bigint return import export static public private success failed failure passed status message result
results values errors warning warnings exception foobar foobaz example example.com test_data requirements.txt readme.md
setup.py pyproject.toml package.json makefile dockerfile %h:%m:%s %y-%m-%d %y-%m-%dt%h:%m:%s %(message)s 0123456789 abcdef
abcdefg abcdefghijklmnopqrstuvwxyz 0123456789abcdef master origin/main origin/master node_modules site-packages store_true
store_false
"""

COMMON_NUMBERS = frozenset(_NUMBERS.split())
"""Sequences, mathematics, time, units, ports, limits of machine types, hashes and generators, numbers of standards."""
COMMON_STRINGS = frozenset(_WORDS.split()) | {
    "hello world",
    "hello, world",
    "hello, world!",
    "hello world!",
    "foo, bar",
    "foo bar",
    "lorem ipsum",
    "use strict",
    "%y-%m-%d %h:%m:%s",
}
"""Stripped and in lower case."""
