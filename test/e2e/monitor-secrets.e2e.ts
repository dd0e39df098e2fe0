import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { failMonitorUpdates } from "../support/store/faults.ts";
import { dumpWithoutMonitors } from "../support/store/states.ts";

const WORD = "xHUSHx";
/** A body is no secret in the API, but is in no notification and no log line. */
const BODY = "xBODYx";
/** As `basicAuth` sends it. */
const ENCODED = btoa(`me:${WORD}`);

const shared = { interval: 1, method: "POST", body: BODY, expect: { status: [200] } };
const secrets = [{ headers: { "X-Key": WORD } }, { basicAuth: { user: "me", password: WORD } }];

function withoutSecret(text: string, ...more: string[]): void {
  for (const word of [WORD, ENCODED, ...more]) expect(text).not.toContain(word);
}

test("behavior 10.26, 10.27: no answer, log line, notification or other table has a secret of a config", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  // It repeats what it was sent, as a debugging page does.
  await using echo = new HttpTarget(async (request) => {
    const sent = JSON.stringify([...request.headers]) + (await request.text());
    return new Response(sent, { status: 503, headers: { "X-Echo": sent } });
  });
  const server = await binary.serve(["--log-level", "debug"]);
  const client = await server.client();
  const { id: channel } = await createChannel(client, { config: { url: receiver.url } });
  const answers: unknown[] = [];
  for (const url of [echo.url, "http://127.0.0.1:1/", "https://127.0.0.1:1/"]) {
    for (const secret of secrets) {
      const config = { ...shared, ...secret, url };
      const { id, config: shown } = await createMonitor(client, "HTTP", {
        config,
        alertChannelIds: [channel],
      });
      const changed = await client.patch(`/api/v1/monitors/${id}`, { config: shown });
      expect(changed.status).toBe(200);
      answers.push(await client.get(`/api/v1/monitors/${id}/report`));
    }
  }
  await eventually(
    () => new Set(receiver.received.map(({ payload }) => payload.data.monitor.id)).size >= 4,
    30_000,
  );
  for (const route of ["monitors", "overview", "events", `alerts/${channel}/deliveries`])
    answers.push(await client.get(`/api/v1/${route}`));
  for (const { body, headers } of receiver.received) withoutSecret(JSON.stringify({ body, headers }), BODY);
  withoutSecret(JSON.stringify(answers));

  await using opened = await binary.attach();
  const { db } = opened;
  const end = await failMonitorUpdates(db);
  const { body } = await client.get("/api/v1/monitors");
  const { id } = body.data[0];
  const config = { ...shared, ...secrets[0], url: "http://127.0.0.1:1/again" };
  expect(await client.patch(`/api/v1/monitors/${id}`, { config })).toMatchObject({ status: 500 });
  await end();
  withoutSecret(await dumpWithoutMonitors(db), BODY);

  await server.end("SIGTERM");
  const log = await server.log;
  expect(log).toContain("a request failed");
  withoutSecret(log, BODY);
}, 300_000);
