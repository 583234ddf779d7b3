"""Reading mail: bytes of a mailbox in, values out. Pure.

`parse` is the way in; `entity`, `parts`, `fields` and `params` take a mail apart, `words`, `charsets`, `japanese` and
`transfer` turn bytes into text, `htmltext` and `mbox` stand alone.
"""

from reservations.domain.mail.fields import address_of, domain_of
from reservations.domain.mail.htmltext import text_of_html
from reservations.domain.mail.mbox import is_mbox, split_mbox
from reservations.domain.mail.names import clean_file_name
from reservations.domain.mail.parse import ParsedMail, parse_mail
from reservations.domain.mail.parts import ParsedAttachment
from reservations.domain.mail.problems import Problem, ProblemCode

__all__ = [
    "ParsedAttachment",
    "ParsedMail",
    "Problem",
    "ProblemCode",
    "address_of",
    "clean_file_name",
    "domain_of",
    "is_mbox",
    "parse_mail",
    "split_mbox",
    "text_of_html",
]
