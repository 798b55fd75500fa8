"""The audit of surface passes: prescan, trace, adjudicate by rules, localise."""

from earned.audit.excerpts import audit_row, audited_pass
from earned.audit.pipeline import Audited, audit_pass
from earned.audit.prescan import Graph

__all__ = ["Audited", "Graph", "audit_pass", "audit_row", "audited_pass"]
