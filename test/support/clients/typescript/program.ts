/** Uses a client that a generator wrote to client.ts. Arguments: the URL of the server, a key. Prints what it saw as JSON. */
import { ApiError, client } from "./client.ts";

declare const process: { argv: string[]; stdout: { write: (text: string) => void } };
const [, , serverUrl = "", key = ""] = process.argv;
client.configure({ serverUrl });
client.auth.bearer(key);

const { data: shop } = await client.createMonitor({
  body: {
    name: "Shop",
    type: "HTTP",
    config: { url: "https://shop.example.com/", interval: 60 },
    tags: ["web"],
  },
});
const { data: job } = await client.createMonitor({
  body: { name: "Backup", type: "SCHEDULED", config: { period: 3600 } },
});
await client.createMonitor({
  body: { name: "Certificate", type: "TLS", config: { host: "shop.example.com", warnDays: 30 } },
});
const { data: monitors } = await client.listMonitors({ query: { range: "1d" } });
const listed = monitors.map((one) => [one.name, one.type]);
// The type decides about the fields of the config.
const warnDays = monitors.flatMap((one) => (one.type === "TLS" ? [one.config.warnDays] : []));

for (const status of ["ok", "fail", "ok"]) await client.checkIn({ path: { id: job.id }, query: { status } });
const results: string[] = [];
let cursor: string | undefined;
do {
  const page = await client.listResults({ path: { id: job.id }, query: { limit: 2, cursor } });
  results.push(...page.data.map((result) => result.status));
  cursor = page.cursor ?? undefined;
} while (cursor !== undefined);

const { data: channel } = await client.createAlertChannel({
  body: {
    name: "Phone",
    type: "WEBHOOK",
    config: { url: "https://ntfy.sh", format: "ntfy", options: { topic: "alerts" } },
  },
});
await client.updateMonitor({
  path: { id: shop.id },
  body: { name: "Shop front", alertChannelIds: [channel.id] },
});
const { data: updated } = await client.getMonitor({ path: { id: shop.id } });

const { data: apiKey } = await client.createApiKey({
  body: { name: "ci", role: "viewer", expiresAt: "2036-01-31T00:00:00Z" },
});
const { data: unlimited } = await client.updateApiKey({
  path: { id: apiKey.id },
  body: { expiresAt: null },
});

const errors: unknown[] = [];
try {
  await client.updateMonitor({ path: { id: shop.id }, body: { name: "" } });
} catch (error) {
  if (error instanceof ApiError) errors.push([error.status, error.body]);
}

await client.deleteMonitor({ path: { id: shop.id } });
const { data: left } = await client.listMonitors();
process.stdout.write(
  JSON.stringify({
    listed,
    warnDays,
    results,
    channel: channel.type === "WEBHOOK" && channel.config.format,
    updated: [updated.type, updated.name, updated.alertBindings[0]?.alertChannelId === channel.id],
    expiresAt: unlimited.expiresAt,
    errors,
    left: left.map((one) => one.name),
  }),
);
