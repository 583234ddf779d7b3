"""Shapes of the answers. The fields declare a shape for the OpenAPI description; `to_representation` makes it from a
row of a selector. Stored JSON goes out as the text it is, never parsed and written again."""
