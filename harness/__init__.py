"""The machine: it runs a library against a reference and says where they part.

It knows no metric and no library. Cases come to it through the entry-point group ``rankdiff.cases``.
"""
