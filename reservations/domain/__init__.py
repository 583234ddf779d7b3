"""Pure rules of the reservations desk: contract, routing, fields, states. No framework, no clock, no database."""
