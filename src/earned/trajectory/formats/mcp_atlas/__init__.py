"""MCP-Atlas tables: `table.py` holds the format."""
