"""What every page of the back-office is built from: read-only lists and details, filters, and hostile text made safe."""
