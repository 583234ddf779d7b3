"""What a confirmed card makes of OPERA: the two calls, their bodies, and the check against the published schemas."""
