"""The closed lists as data: categories, the catalogue of routes, rules, and what others call them."""

from earned.taxonomy.read import category, default_taxonomy, parse_taxonomy
from earned.taxonomy.rows import Alias, CatalogueEntry, Category, Example, Rule, Taxonomy, When

__all__ = [
    "Alias",
    "CatalogueEntry",
    "Category",
    "Example",
    "Rule",
    "Taxonomy",
    "When",
    "category",
    "default_taxonomy",
    "parse_taxonomy",
]
