"""Viewsets: who may, which rows, in which shape."""
