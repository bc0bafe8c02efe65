"""Understand, answer, cite. The main path of asking is in assistant.py."""
