"""Counts beside a list."""

from __future__ import annotations

from rest_framework import serializers


class CountSerializer(serializers.Serializer):
    """One value of a filter, and how many rows it finds."""

    value = serializers.CharField(help_text="As the filter takes it.")
    count = serializers.IntegerField(min_value=1, max_value=1000)
    capped = serializers.BooleanField(help_text="There are more; only 1000 were counted.")


class FacetSerializer(serializers.Serializer):
    """One filter and its values that find any row, in the order of its options."""

    name = serializers.CharField(help_text="The filter.")
    values = CountSerializer(many=True)


class FacetsSerializer(serializers.Serializer):
    """How the rows of the list, under the same filters, are spread."""

    facets = FacetSerializer(many=True)
