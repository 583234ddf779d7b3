"""What accounts refuse."""

from config.errors import Invalid, Missing


class RoleUnknown(Invalid):
    code = "ROLE_UNKNOWN"
    sentence = "There is no such role."


class UserUnknown(Missing):
    code = "USER_UNKNOWN"
    sentence = "There is no such user."


class TenantUnknown(Missing):
    code = "TENANT_UNKNOWN"
    sentence = "There is no such hotel or organisation."


class TokenUnknown(Missing):
    code = "TOKEN_UNKNOWN"
    sentence = "There is no such token."
