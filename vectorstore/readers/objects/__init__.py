"""Objects of JSON as public sources write them. A module a source: NAME, ``fits(record)`` and ``entry(record)``.

``entry`` gives an ``Entry``, or the reason why the record is no paper.
"""
