"""Tasks in the back-office: the list (`lists`), the card page (`page`), and what people do on it.

Reading order of a write: `acting` takes the POST, `forms` makes a body of what was typed, `acts` names the service;
`filling`, `controls` and `work` show the card, also after a refusal. Order tasks and notifications use them too.
"""

from reservations.admin.tasks.page import TaskAdmin

__all__ = ["TaskAdmin"]
