"""Uses a client that a generator wrote to client.py. Arguments: the URL of the server, a key. Prints what it saw as JSON."""

import json
import sys

from client import (
    ApiError,
    Client,
    HttpConfig,
    HttpCreateMonitorRequest,
    HttpMonitor,
    NtfyOptions,
    NtfyWebhookConfig,
    ScheduledConfig,
    ScheduledCreateMonitorRequest,
    TlsConfig,
    TlsCreateMonitorRequest,
    UpdateApiKeyRequest,
    UpdateMonitorRequest,
    WebhookAlertChannel,
    WebhookCreateAlertChannelRequest,
    CreateApiKeyRequest,
)

url, key = sys.argv[1:]
client = Client(url, auth={"bearer": key})
seen = {}

shop = client.create_monitor(
    HttpCreateMonitorRequest(
        name="Shop", type_="HTTP", config=HttpConfig(url="https://shop.example.com/", interval=60), tags=["web"]
    )
).data
job = client.create_monitor(
    ScheduledCreateMonitorRequest(name="Backup", type_="SCHEDULED", config=ScheduledConfig(period=3600))
).data
client.create_monitor(
    TlsCreateMonitorRequest(name="Certificate", type_="TLS", config=TlsConfig(host="shop.example.com", warn_days=30))
)
seen["listed"] = [[one.name, type(one.config).__name__] for one in client.list_monitors(range="1d").data]
seen["warnDays"] = client.list_monitors(type_="TLS").data[0].config.warn_days

for status in ["ok", "fail", "ok"]:
    client.check_in(job.id, status=status)
seen["results"] = []
cursor = None
while True:
    page = client.list_results(job.id, limit=2, cursor=cursor)
    seen["results"] += [result.status for result in page.data]
    cursor = page.cursor
    if cursor is None:
        break

channel = client.create_alert_channel(
    WebhookCreateAlertChannelRequest(
        name="Phone",
        type_="WEBHOOK",
        config=NtfyWebhookConfig(url="https://ntfy.sh", format="ntfy", options=NtfyOptions(topic="alerts")),
    )
).data
seen["channel"] = [isinstance(channel, WebhookAlertChannel), channel.config.format]

client.update_monitor(shop.id, UpdateMonitorRequest(name="Shop front", alert_channel_ids=[channel.id]))
updated = client.get_monitor(shop.id).data
seen["updated"] = [isinstance(updated, HttpMonitor), updated.name, updated.alert_bindings[0].alert_channel_id == channel.id]

api_key = client.create_api_key(CreateApiKeyRequest(name="ci", role="viewer", expires_at="2036-01-31T00:00:00Z")).data
seen["expiresAt"] = client.update_api_key(api_key.id, UpdateApiKeyRequest(name="CI")).data.expires_at
# A field of a class that is None is not sent.
seen["unlimited"] = client.update_api_key(api_key.id, {"expiresAt": None}).data.expires_at

errors = []
for call in [
    lambda: client.update_monitor(shop.id, UpdateMonitorRequest(name="")),
    lambda: Client(url, auth={"bearer": "wrong"}).list_monitors(),
]:
    try:
        call()
    except ApiError as error:
        errors.append([error.status, error.body["error"]])
seen["errors"] = errors

client.delete_monitor(shop.id)
seen["left"] = [one.name for one in client.list_monitors().data]
print(json.dumps(seen))
