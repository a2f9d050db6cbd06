"""Prints a line of JSON for each event of a stream: python httpx_sse_client.py <URL>.

httpx-sse does not reconnect; this is the loop of its README, without a package for the pauses.
"""

import json
import sys
import time

import httpx
from httpx_sse import connect_sse

last_event_id = ""
reconnection_delay = 0.0

with httpx.Client(timeout=httpx.Timeout(10, read=None)) as client:
    while True:
        headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
        try:
            with connect_sse(client, "GET", sys.argv[1], headers=headers) as source:
                for event in source.iter_sse():
                    last_event_id = event.id
                    if event.retry is not None:
                        reconnection_delay = event.retry / 1000
                    print(json.dumps({"event": event.event, "data": event.data}), flush=True)
        except httpx.TransportError:
            pass
        time.sleep(reconnection_delay)
