"""All settings, from the environment. Defaults are the safe ones; .env.example explains each variable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import structlog
from corsheaders.defaults import default_headers
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"
(VAR_DIR / "static").mkdir(parents=True, exist_ok=True)  # looked for at start, although finders serve the files
env.read_file(BASE_DIR / ".env")

# The machine and its addresses

SECRET_KEY = env.text("SECRET_KEY")
DEBUG = env.flag("DEBUG", default=False)
DEMO = env.flag("DEMO", default=False)
DEMO_PASSWORD = env.text("DEMO_PASSWORD", default="")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")
CORS_ALLOWED_ORIGINS = env.names("CORS_ALLOWED_ORIGINS")
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = [*default_headers, "idempotency-key", "if-match", "if-none-match"]
CORS_EXPOSE_HEADERS = ["Content-Disposition", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Retry-After"]

# HTTPS: on unless the service stands behind plain HTTP on one machine, as in the demo

HTTPS = env.flag("HTTPS", default=True)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]  # probes speak plain HTTP, and take a redirect for "ready"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("TRUST_PROXY", default=False) else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Applications, from the top of the import order down

INSTALLED_APPS = [
    "config.site.SiteConfig",
    "unfold",
    "reservations",
    "config.audit",
    "config.delivery",
    "config.idempotency",
    "config.accounts",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "axes",
    "corsheaders",
    "django_structlog",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    "config.requestlog.RequestLogMiddleware",
    "config.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database: SQLite beside the code by default, PostgreSQL in production

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database("DATABASE_URL", default=f"sqlite:///{VAR_DIR}/db.sqlite3")
}
_database = DATABASES["default"]
_database.setdefault("OPTIONS", {})
if _database["ENGINE"].endswith("sqlite3"):
    # Writers wait for each other instead of failing; readers never wait.
    _database["OPTIONS"].update(
        transaction_mode="IMMEDIATE",
        timeout=20,
        init_command=(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;"
            "PRAGMA mmap_size=134217728; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;"
            "PRAGMA recursive_triggers=ON;"  # else REPLACE deletes rows behind the back of the triggers
        ),
    )
    _database["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}  # in memory, threads cannot write side by side
else:
    _database.update(CONN_MAX_AGE=60, CONN_HEALTH_CHECKS=True)
    # For a page of fifty rows PostgreSQL sets up caches for all rows of the table: three times the work of the page.
    _database["OPTIONS"].setdefault("options", "-c enable_memoize=off")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]

# People, tokens, login

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = reverse_lazy("admin:login")
LOGIN_REDIRECT_URL = reverse_lazy("admin:index")
AXES_FAILURE_LIMIT = env.number("LOGIN_FAILURE_LIMIT", default=10)
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # unlocking is a command: axes_reset
REST_KNOX = {"TOKEN_TTL": None, "AUTO_REFRESH": False, "AUTH_HEADER_PREFIX": "Token"}

# The API

MAX_BODY_BYTES = 256 * 1024
MAX_PACKAGE_BYTES = 1024 * 1024
MAX_SOURCE_MESSAGE_BYTES = 25 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES  # of forms; the API reads its bodies by itself

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.api.access.TokenAuthentication",
        "config.api.access.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["config.api.access.HasRequiredPermission"],
    "DEFAULT_RENDERER_CLASSES": ["config.render.ORJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.api.bodies.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "config.api.paging.KeysetPage",
    "DEFAULT_FILTER_BACKENDS": ["config.api.filters.StrictFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.api.bodies.JSONOnly",
    "EXCEPTION_HANDLER": "config.api.problems.problem_response",
    "DEFAULT_THROTTLE_CLASSES": ["config.api.access.CredentialThrottle"],
    "NUM_PROXIES": 0,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
API_CALLS_PER_MINUTE = env.number("API_CALLS_PER_MINUTE", default=6000)

# The desks

CLAIM_MINUTES = env.number("CLAIM_MINUTES", default=15)
OPERA_GATEWAY = env.text("OPERA_GATEWAY", default="reservations.opera.simulator.Simulator")
OPERA_LEASE_SECONDS = env.number("OPERA_LEASE_SECONDS", default=30)

# Background work: a queue in the same database, so that work is called up in the transaction that makes it

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

SPECTACULAR_SETTINGS = {
    "TITLE": "Countersign",
    "DESCRIPTION": "The desk where people countersign what AI agents propose.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": r"/api/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.schema.describe_idempotency",
    ],
    "ENUM_NAME_OVERRIDES": {
        "OrderKind": "reservations.selectors.orders.SHOWN_KINDS",
        "TransitionKind": "reservations.models.TransitionKind",
        "OperationStatus": "reservations.models.OperationStatus",
        "TaskStatus": "reservations.models.TaskStatusChoice",
        "CardStatus": "reservations.api.serializers.tasks.cards.CARD_STATUSES",
    },
}

# Language, time, files

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_USE_FINDERS = True
MEDIA_ROOT = env.text("ATTACHMENTS_DIR", default=str(VAR_DIR / "attachments"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# Logs: one JSON object a line, or readable text

LOG_FORMAT = env.choice("LOG_FORMAT", ("json", "text"), default="json")
LOG_LEVEL = env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), default="INFO")
_SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
structlog.configure(
    processors=[*_SHARED_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *(
                    [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
                    if LOG_FORMAT == "json"
                    else [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
                ),
            ],
            "foreign_pre_chain": _SHARED_PROCESSORS,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"level": "ERROR"},  # a refusal has its line already, with the request id
        "django.server": {"handlers": [], "propagate": True},
        "axes": {"level": "ERROR"},
        "django_tasks": {"level": "ERROR"},  # a line for each step of each task; failures are said
        "django_tasks_db": {"level": "ERROR"},
    },
}

# The back-office

UNFOLD = {
    "SITE_TITLE": "Countersign",
    "SITE_HEADER": "Countersign",
    "SITE_SYMBOL": "verified",
    "SITE_URL": "/",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("site/icon.svg")}],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda request: static("site/backoffice.css")],
    "SCRIPTS": [lambda request: static("site/backoffice.js")],
    "DASHBOARD_CALLBACK": "reservations.admin.start.start_page",
    "SIDEBAR": {"navigation": "config.navigation.sidebar"},
    "COLORS": {
        "primary": {
            "50": "oklch(97.5% .018 172)",
            "100": "oklch(94% .036 172)",
            "200": "oklch(88.5% .066 172)",
            "300": "oklch(81% .092 172)",
            "400": "oklch(73% .105 172)",
            "500": "oklch(64% .104 172)",
            "600": "oklch(49.5% .086 172)",
            "700": "oklch(43% .074 172)",
            "800": "oklch(37% .062 172)",
            "900": "oklch(32% .052 172)",
            "950": "oklch(23% .038 172)",
        }
    },
}
