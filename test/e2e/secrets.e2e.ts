import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";

const WORD = "xHUSHx";

/** Each has a secret in its address, and no receiver. */
const channels = [
  { type: "SLACK", config: { webhookUrl: `https://hooks.slack.com/services/${WORD}` } },
  { type: "DISCORD", config: { webhookUrl: `https://discord.com/api/webhooks/1/${WORD}` } },
  { type: "TEAMS", config: { webhookUrl: `https://${WORD}.webhook.office.com/webhookb2/${WORD}` } },
  { type: "EMAIL", config: { to: `${WORD}@example.com` } },
  { type: "WEBHOOK", config: { url: `http://127.0.0.1:1/${WORD}?token=${WORD}`, secret: WORD } },
  { type: "WEBHOOK", config: { url: `http://${WORD}.invalid/${WORD}`, secret: WORD } },
];

test("behavior 5.19, 8.21: the log, errors and outcomes contain no secret and no address of a channel", async () => {
  await using binary = new Binary();
  const smtp = ["--smtp-url", `smtp://${WORD}:${WORD}@127.0.0.1:1`, "--smtp-from", "stillup@example.com"];
  const dns = ["--dns-servers", "127.0.0.1:1"];
  const server = await binary.serve([...smtp, ...dns, "--log-level", "debug"]);
  const client = await server.client();
  const alertChannelIds: string[] = [];
  for (const channel of channels) {
    alertChannelIds.push((await client.post("/api/v1/alerts", { name: "hook", ...channel })).body.data.id);
  }
  const job = { name: "job", type: "SCHEDULED", config: {}, alertChannelIds };
  const { id, checkinUrl } = (await client.post("/api/v1/monitors", job)).body.data;
  await fetch(`${checkinUrl}?status=fail`);
  const outcome = await eventually(async () => {
    const { body } = await client.get(`/api/v1/monitors/${id}/results`);
    const { alertOutcome } = body.data[0];
    return (
      alertOutcome.channels.every(({ error }: { error: string | null }) => error !== null) && alertOutcome
    );
  }, 300_000);
  expect(JSON.stringify(outcome)).not.toContain(WORD);
  for (const channel of alertChannelIds) {
    const { body } = await client.get(`/api/v1/alerts/${channel}/deliveries`);
    expect(body.data).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(WORD);
  }
  await server.end("SIGTERM");
  const log = await server.log;
  expect(log).toContain("a delivery failed");
  expect(log).not.toContain(WORD);
  expect(log).not.toContain(WORD.toLowerCase());
}, 300_000);
