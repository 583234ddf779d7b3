"""Order tasks in the back-office: the list (`lists`), the page with the form of Basic Information (`page`), its acts."""

from reservations.admin.ordertasks.page import OrderTaskAdmin

__all__ = ["OrderTaskAdmin"]
