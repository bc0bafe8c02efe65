"""XML as public sources write it. A module a source: NAME, ROOT, RECORDS and ``entry(element, parents)``."""
