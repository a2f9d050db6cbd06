"""boto3 against the send API of Amazon SES, and the Python client that waits for the mail."""

from __future__ import annotations

import os
from email.message import EmailMessage
from typing import Any

import boto3
import pytest
from botocore.config import Config
from conftest import API_KEY, Service

from mayfly import Inbox, Mayfly

TEMPLATE = {"Subject": "Welcome, {{name}}", "Text": "Your code is {{code}}.", "Html": "<p>{{name}}: {{code}}</p>"}
SENDER = "Shop <shop@example.com>"


def client_of(service: Service, name: str, attempts: int = 1) -> Any:
    return boto3.client(
        name,
        endpoint_url=f"{service.url}/ses",
        region_name="eu-central-1",
        aws_access_key_id="AKIAIOSFODNN7EXAMPLE",
        aws_secret_access_key="not-checked",
        config=Config(retries={"total_max_attempts": attempts}),
    )


@pytest.fixture
def box(service: Service) -> Inbox:
    return Mayfly(service.url, API_KEY).inbox()


def simple(text: str) -> dict[str, Any]:
    return {"Simple": {"Subject": {"Data": "Ihr Code für 李雷"}, "Body": {"Text": {"Data": text}}}}


def test_sesv2_by_the_environment_alone(service: Service, box: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_SESV2", f"{service.url}/ses")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    answer = boto3.client("sesv2", region_name="us-east-1").send_email(
        FromEmailAddress=SENDER,
        Destination={"ToAddresses": [box.address]},
        Content=simple("Your verification code is 482913."),
    )
    mail = box.wait_for_mail()
    assert mail.code == "482913"
    assert mail.subject == "Ihr Code für 李雷"
    assert mail.whole()["headers"][0] == {"name": "X-Mayfly-Send-Id", "value": answer["MessageId"]}


def test_ses_simple(service: Service, box: Inbox) -> None:
    client_of(service, "ses").send_email(
        Source=SENDER,
        Destination={"ToAddresses": [box.address]},
        Message={"Subject": {"Data": "x"}, "Body": {"Html": {"Data": "<b>ä</b>"}}},
        ReplyToAddresses=["support@example.com"],
    )
    mail = box.wait_for_mail()
    assert (mail.html() or "").strip() == "<b>ä</b>"


@pytest.mark.parametrize("version", ["ses", "sesv2"])
def test_raw_with_an_attachment(service: Service, box: Inbox, version: str) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = SENDER, box.address, "raw"
    message.set_content("text")
    content = os.urandom(1_000_000)
    message.add_attachment(content, maintype="application", subtype="pdf", filename="a.pdf")
    client = client_of(service, version)
    if version == "ses":
        client.send_raw_email(RawMessage={"Data": message.as_bytes()})
    else:
        client.send_email(Content={"Raw": {"Data": message.as_bytes()}})
    assert box.wait_for_mail().attachments[0].bytes() == content


def test_sesv2_templates(service: Service, box: Inbox) -> None:
    client = client_of(service, "sesv2")
    client.create_email_template(TemplateName="boto3", TemplateContent=TEMPLATE)
    with pytest.raises(client.exceptions.AlreadyExistsException):
        client.create_email_template(TemplateName="boto3", TemplateContent=TEMPLATE)
    client.send_email(
        FromEmailAddress=SENDER,
        Destination={"ToAddresses": [box.address]},
        Content={"Template": {"TemplateName": "boto3", "TemplateData": '{"name": "Ann", "code": "591037"}'}},
    )
    assert box.wait_for_code(subject="Welcome, Ann") == "591037"
    assert client.get_email_template(TemplateName="boto3")["TemplateContent"] == TEMPLATE
    assert "boto3" in [one["TemplateName"] for one in client.list_email_templates()["TemplatesMetadata"]]
    client.delete_email_template(TemplateName="boto3")
    with pytest.raises(client.exceptions.NotFoundException):
        client.get_email_template(TemplateName="boto3")


def test_ses_templates_and_bulk(service: Service, box: Inbox) -> None:
    client = client_of(service, "ses")
    template = {"TemplateName": "boto3-v1", "SubjectPart": "Hi {{name}}", "TextPart": "Your code is {{code}}."}
    client.create_template(Template=template)
    assert client.get_template(TemplateName="boto3-v1")["Template"] == template
    status = client.send_bulk_templated_email(
        Source=SENDER,
        Template="boto3-v1",
        DefaultTemplateData='{"name": "you", "code": "100200"}',
        Destinations=[
            {"Destination": {"ToAddresses": [box.address]}, "ReplacementTemplateData": '{"name": "Ann"}'},
            {"Destination": {"ToAddresses": ["eve@elsewhere.example"]}},
        ],
    )["Status"]
    assert [one["Status"] for one in status] == ["Success", "MessageRejected"]
    assert box.wait_for_code(subject="Hi Ann") == "100200"
    client.delete_template(TemplateName="boto3-v1")
    with pytest.raises(client.exceptions.TemplateDoesNotExistException):
        client.get_template(TemplateName="boto3-v1")


def test_typed_errors(service: Service, box: Inbox) -> None:
    name, host = box.address.split("@")

    def send(client: Any, to: str) -> None:
        client.send_email(FromEmailAddress=SENDER, Destination={"ToAddresses": [to]}, Content=simple("x"))

    client = client_of(service, "sesv2")
    with pytest.raises(client.exceptions.MessageRejected, match="eve@elsewhere.example"):
        send(client, "eve@elsewhere.example")
    with pytest.raises(client.exceptions.TooManyRequestsException):
        send(client, f"{name}+smtp.451@{host}")
    with pytest.raises(client.exceptions.BadRequestException):
        send(client, "no address")
    # The SDK's own retries pass greylisting.
    send(client_of(service, "sesv2", attempts=3), f"{name}+smtp.451x2@{host}")
    old = client_of(service, "ses")
    with pytest.raises(old.exceptions.MessageRejected):
        old.send_raw_email(
            Destinations=["eve@elsewhere.example"], RawMessage={"Data": b"From: a@example.com\r\n\r\nx"}
        )


def test_quota(service: Service) -> None:
    assert client_of(service, "ses").get_send_quota()["MaxSendRate"] > 0
    assert client_of(service, "sesv2").get_account()["SendingEnabled"] is True
