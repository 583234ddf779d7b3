"""What is refused about an Idempotency-Key."""

from config.errors import Conflict, Invalid, Malformed


class KeyInvalid(Malformed):
    code = "IDEMPOTENCY_KEY_INVALID"
    sentence = "Idempotency-Key has 1 to 255 visible ASCII characters. Nothing was done; send another key, or none."


class KeyReused(Invalid):
    code = "IDEMPOTENCY_KEY_REUSED"
    sentence = "This Idempotency-Key belongs to a request with another body. Nothing was done; send a new key."


class KeyInFlight(Conflict):
    code = "IDEMPOTENCY_IN_FLIGHT"
    sentence = (
        "The first request with this Idempotency-Key has no answer yet. Wait as Retry-After says and send it again."
    )
    retryable = True
