"""Search on PostgreSQL: the words of a mail and of an order, each in a GIN index. SQLite has neither and compares texts.

A word is a run of letters and digits between spaces and punctuation; of Chinese, Japanese and Korean every character is a
word, since nothing says where their words end. `selectors.search` cuts what is looked for the same way.
"""

from django.db import migrations

SEPARATORS = (
    r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\ufe30-\ufe4f]+"
)
SINGLE = r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
LONGEST = 1000
WORDS = (
    "to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(regexp_replace(normalize({text}, NFKC), "
    f"'{SEPARATORS}', ' ', 'g'), '{SINGLE}', ' \\1 ', 'g'))"
)


def _text(*columns: str) -> str:
    return " || ' ' || ".join(f"left(coalesce({column}, ''), {LONGEST})" for column in columns)


def _function(name: str, *columns: str) -> str:
    arguments = ", ".join(f"{column} text" for column in columns)
    return (
        f"CREATE FUNCTION {name}({arguments}) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE "
        f"AS $words$ SELECT {WORDS.format(text=_text(*columns))} $words$"
    )


MAIL = ("subject", "sender")
ORDER = ("order_number", "display_name", "group_code", "confirmation_number", "booking_code")
FORWARDS = (
    _function("reservations_mail_words", *MAIL),
    _function("reservations_order_words", *ORDER),
    "CREATE INDEX CONCURRENTLY reservations_mail_words_index ON reservations_sourcemessage "
    f"USING gin (reservations_mail_words({', '.join(MAIL)}))",
    "CREATE INDEX CONCURRENTLY reservations_order_words_index ON reservations_order "
    f"USING gin (reservations_order_words({', '.join(ORDER)})) WHERE NOT hidden",
)
BACKWARDS = (
    "DROP INDEX CONCURRENTLY reservations_order_words_index",
    "DROP INDEX CONCURRENTLY reservations_mail_words_index",
    "DROP FUNCTION reservations_order_words",
    "DROP FUNCTION reservations_mail_words",
)


def _run(statements):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            for statement in statements:
                schema_editor.execute(statement, params=None)

    return run


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("reservations", "0009_work_lists")]
    operations = [migrations.RunPython(_run(FORWARDS), _run(BACKWARDS), atomic=False)]
