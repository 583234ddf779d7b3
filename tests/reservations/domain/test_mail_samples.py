"""The sample mails: shapes and charsets as mailboxes really hold them (R-79)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reservations.domain.mail import ParsedMail, ProblemCode, parse_mail

MAILS = Path(__file__).parents[1] / "mails"
CASES = Path(__file__).parents[2] / "cases" / "data" / "reservations.json"


def sample(name: str) -> ParsedMail:
    return parse_mail((MAILS / f"{name}.eml").read_bytes())


def codes(mail: ParsedMail) -> list[ProblemCode]:
    return [problem.code for problem in mail.problems]


def files(mail: ParsedMail) -> list[tuple[str, str, str, bool]]:
    return [(one.external_id, one.file_name, one.media_type, one.inline) for one in mail.attachments]


def test_gb2312_mail_keeps_characters_its_label_does_not_have():
    mail = sample("gb2312_group")
    assert (mail.subject, mail.sender) == ("团队预订 CQ-1120 朱镕团", "春秋旅行社 周小姐 <zhou@chunqiu-tours.example>")
    assert mail.body_text.splitlines()[3] == "领队：朱镕 先生，电话 5550-1200。房价 CNY 620 元/间夜，含双早。"
    assert codes(mail) == []


def test_raw_gbk_in_headers_and_file_names_is_read_and_told():
    mail = sample("gbk_raw_headers")
    assert (mail.subject, mail.sender) == ("入住名单 确认号8801305", "海湾商旅 <fax@bay-trip.example>")
    assert files(mail) == [("att-1", "入住名单.xls", "application/octet-stream", False)]
    assert codes(mail) == [ProblemCode.CHARSET_GUESSED, ProblemCode.HEADER_RAW_8BIT]


def test_words_split_inside_characters_and_without_blanks_are_joined():
    mail = sample("big5_split_words")
    assert (mail.subject, codes(mail)) == ("取消訂房 許功蓋先生", [])
    assert mail.body_text.splitlines()[2] == "請取消許功蓋先生 8 月 12 日的訂房，確認號 8801420。碁盟旅行社代訂，謝謝。"


def test_japanese_mail_with_vendor_characters_and_half_width_kana():
    mail = sample("iso2022jp_vendor")
    assert (mail.subject, mail.sender) == ("予約 ① A-2201", "山川トラベル <yoyaku@yamakawa-travel.example>")
    assert (mail.body_text, codes(mail)) == ("予約 A-2201\n① ｴﾞﾄﾊ 2\n㈱山川トラベル\n", [])


def test_shift_jis_under_a_jis_label():
    mail = sample("sjis_labelled_jis")
    assert mail.body_text.splitlines()[0] == "予約 A-2201 の到着を 9月3日に変更してください。"
    assert codes(mail) == [ProblemCode.CHARSET_GUESSED]


def test_html_only_mail_has_no_text_and_says_so():
    mail = sample("korean_html_only")
    assert (mail.sender, mail.subject) == ("한강여행 <desk@hangang-tour.example>", "예약 확인 HG-77")
    assert (mail.body_text, "똠방" in mail.body_html, codes(mail)) == (None, True, [ProblemCode.HTML_ONLY])


def test_flowed_russian_text_is_left_as_it_is():
    mail = sample("koi8r_flowed")
    assert (mail.sender, mail.subject) == ("Ирина Волкова <irina@neva-tour.example>", "Бронирование NV-301")
    assert mail.body_text == "Добрый день!\n\nПросим забронировать 2 номера \nс 1 по 4 октября 2026.\n"


def test_nested_parts_with_an_inline_picture_and_a_name_in_sections():
    mail = sample("outlook_inline_image")
    assert mail.external_message_id == "AM9PR0101MB2222AAAA@AM9PR0101MB2222.eurprd.alpenblick-reisen.example"
    assert files(mail) == [
        ("att-1", "image001.png", "image/png", True),
        ("att-2", "Zimmerliste Südsee AB-9.pdf", "application/pdf", False),
    ]
    assert (mail.attachments[0].content_id, mail.attachments[0].content[:4]) == ("image001.png@01DC.AB9", b"\x89PNG")
    assert codes(mail) == []


def test_names_with_commas_in_words_and_quotes_stay_whole():
    mail = sample("outlook_inline_image")
    assert mail.sender == '"Müller, Jürgen" <j.mueller@alpenblick-reisen.example>'
    assert mail.recipients == (
        '"Reservations, Willow Bay" <reservations@willowbay-hotel.example>',
        "Front Desk <desk@willowbay-hotel.example>",
    )


def test_forwarded_mail_is_one_file_named_by_its_subject():
    mail = sample("forwarded_rfc822")
    assert files(mail) == [("att-1", "Late arrival – Guest K.eml", "message/rfc822", False)]
    assert parse_mail(mail.attachments[0].content).attachments[0].file_name == "ticket.txt"


def test_text_around_a_file_is_joined_and_the_file_is_not_hidden():
    mail = sample("apple_text_file_text")
    assert mail.body_text == "The slip is here:\n\n\nPlease apply CNY 5000 to group GRP-CEDAR.\n\nDana"
    assert files(mail) == [("att-1", "slip.pdf", "application/pdf", False)]


def test_mail_that_was_cut_off_keeps_what_arrived():
    mail = sample("cut_off")
    assert mail.body_text == "Rooming list 附件, 100 = percent, code =ZZ."
    assert mail.attachments[0].content == b"room,name1,name2\r\n1,Guest C,Guest D\r\n2,"
    assert codes(mail) == [
        ProblemCode.BOUNDARY_UNCLOSED,
        ProblemCode.QUOTED_PRINTABLE_BROKEN,
        ProblemCode.BASE64_BROKEN,
    ]


def test_mail_without_id_and_date_gets_an_id_of_its_content_and_the_time_of_the_last_hop():
    raw = (MAILS / "no_id_no_date.eml").read_bytes()
    mail = parse_mail(raw)
    again = parse_mail(b"From x Sun Aug 16 07:31:12 2026\r\n" + raw.replace(b"\n", b"\r\n") + b"\r\n")
    assert mail.external_message_id == again.external_message_id
    assert mail.external_message_id.partition("@")[2] == "no-message-id.invalid"
    assert mail.received_at == datetime(2026, 8, 15, 23, 31, 12, tzinfo=UTC)
    assert (mail.sender, codes(mail)) == (
        "fax@northline.example",
        [ProblemCode.MESSAGE_ID_MISSING, ProblemCode.DATE_MISSING],
    )


def test_header_folded_without_indentation_does_not_end_the_headers():
    mail = sample("broken_folding")
    assert mail.subject == "NL-0910 更改： 入住日期改为 9 月 11 日"
    assert (mail.received_at, mail.external_message_id) == (
        datetime(2026, 8, 17, 2, tzinfo=UTC),
        "nl-0817@northline.example",
    )
    assert codes(mail) == [ProblemCode.HEADER_BROKEN, ProblemCode.HEADER_RAW_8BIT]


def test_reply_belongs_to_the_first_mail_of_its_thread():
    mail = sample("reply_in_thread")
    assert (mail.external_message_id, mail.conversation_id) == ("re-2@northline.example", "m02@northline.example")
    assert (mail.sender, mail.subject) == ("Northline Groups <grp@northline.example>", "回复： NL-0910")


def test_groups_are_opened_and_old_style_comments_are_names():
    assert sample("reply_in_thread").recipients == (
        '"Reservations \\"Willow Bay\\"" <reservations@willowbay-hotel.example>',
        '"Chen, Wei" <wei@northline.example>',
        "a@willowbay-hotel.example",
        "b@willowbay-hotel.example",
    )


def test_chinese_under_a_western_label_and_a_file_name_with_tricks():
    mail = sample("gbk_labelled_latin1")
    assert (mail.subject, mail.body_text) == ("订房单", "请预订两间大床房，八月二十五日入住。\n")
    assert files(mail) == [("att-1", "invoice fdp.exe", "application/octet-stream", False)]
    assert codes(mail) == [ProblemCode.CHARSET_GUESSED, ProblemCode.FILE_NAME_CHANGED]


def test_mail_that_is_a_file_only():
    mail = sample("pdf_only")
    assert (mail.body_text, mail.body_html) == (None, None)
    assert files(mail) == [("att-1", "attachment-1.pdf", "application/pdf", False)]
    assert codes(mail) == [ProblemCode.ATTACHMENT_UNNAMED, ProblemCode.BODY_MISSING]


def case_mails() -> dict[str, dict]:
    return json.loads(CASES.read_text("utf-8"))["mails"]


@pytest.mark.parametrize("key", [f"M{number:02d}" for number in range(1, 16)])
def test_mails_of_the_cases_are_read_without_a_problem(key):
    expected = case_mails()[key]
    mail = parse_mail(expected["eml"].encode())
    assert (mail.external_message_id, mail.subject) == (expected["external_message_id"], expected["subject"])
    assert [{"id": a.external_id, "file_name": a.file_name, "media_type": a.media_type} for a in mail.attachments] == (
        expected["attachments"]
    )
    assert mail.problems == ()
