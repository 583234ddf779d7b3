"""A person comes to the back-office."""


def test_without_a_login_the_back_office_asks_for_one_and_takes_it(committed_db, live_server, page, user_of):
    user = user_of("reviewer")
    user.set_password("a long enough passphrase")
    user.save()
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("a long enough passphrase")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{live_server.url}/admin/")
    assert page.title().strip() == "Start | Countersign"
