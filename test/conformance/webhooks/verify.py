"""Reads a JSON array of {secret, headers, body} from standard input and prints which of them the library accepts."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def is_accepted(delivery: dict) -> bool:
    try:
        Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
        return True
    except WebhookVerificationError:
        return False


print(json.dumps([is_accepted(delivery) for delivery in json.load(sys.stdin)]))
