import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfigurationClient } from "../../src/cli/configuration-client.ts";
import { parseDocument } from "../../src/domain/configuration/parse-document.ts";
import { planReplays } from "../../src/domain/replay/planned-changes.ts";
import { stillup } from "../support/product/command.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const dir = await untilEndOfFile(tempDir());
const keyFile = join(dir.path, "key");
writeFileSync(keyFile, `${server.client.key}\n`, { mode: 0o600 });

const HOURS = { timezone: "UTC", windows: [{ days: ["mon"], from: "08:00", to: "18:00" }] };

test("behavior 25.45: the changes of a plan are the same by the API as by the database", async () => {
  const { client } = server;
  const ops = await createChannel(client, { ref: "ops" });
  const boss = await createChannel(client, { ref: "boss" });
  const person = (await client.post("/api/v1/people", { email: "mia@example.com", role: "admin" })).body.data;
  const night = await client.post("/api/v1/schedules", {
    name: "Night",
    ref: "night",
    layers: [{ personIds: [person.id], every: "week", startsAt: "2026-01-01T00:00:00Z" }],
  });
  expect(night.status).toBe(201);
  const { body } = await client.patch("/api/v1/organization", { defaultAlertChannelIds: [boss.id] });
  expect(body.data.defaultAlertChannelIds).toEqual([boss.id]);
  const bound = (...alertBindings: object[]) => ({ alertBindings });
  await createMonitor(client, "SCHEDULED", { ref: "shop", ...bound({ alertChannelId: ops.id, every: 600 }) });
  await createMonitor(client, "SCHEDULED", {
    ref: "night",
    ...bound({ scheduleId: night.body.data.id, hours: HOURS }, { alertChannelId: ops.id, hours: HOURS }),
  });
  await createMonitor(client, "SCHEDULED", {
    ref: "default",
    ...bound({ alertChannelId: boss.id, after: 60 }),
  });
  await createMonitor(client, "SCHEDULED", { name: "free", alertChannelIds: [ops.id] });
  await createMonitor(client, "TLS", { ref: "tls", alertChannelIds: [] });

  const job = (settings: object) => ({ type: "SCHEDULED", config: { interval: 300 }, ...settings });
  const document = {
    channels: { ops: { type: "WEBHOOK", config: { url: "http://127.0.0.1:1/hook" }, notifyOn: ["down"] } },
    monitors: {
      shop: job({ alertBindings: [{ alertChannelId: "ops", after: 60, every: 600 }], confirmations: 2 }),
      night: job({ alertBindings: [{ scheduleId: "night" }, { alertChannelId: "ops" }] }),
      default: job({}),
      tls: { type: "TLS", config: { host: "127.0.0.1", port: 1, interval: 86_400, warnDays: 30 } },
    },
    maintenances: { nightly: { selector: { monitorIds: ["tls"] }, cron: "0 3 * * *", duration: 600 } },
  };
  const organizationId = body.data.id;
  const options = { prune: "none", isDryRun: true } as const;
  const { changes } = await server.store.configuration.apply(organizationId, document, options, server.now());
  const apply = { document: parseDocument(document).document, changes };
  const stored = await server.store.configuration.read(organizationId, server.now());
  const planned = planReplays({ ...apply, present: stored });
  const shown = planned.map(({ name, changes, unknown }) => [
    name,
    changes,
    unknown.map(({ field }) => field),
  ]);
  expect(shown).toEqual([
    ["shop", { confirmations: 2, after: 60, notifyOn: ["down"] }, ["name"]],
    ["night", { hours: expect.anything() }, ["name", "notifyOn"]],
    ["default", { after: 0 }, ["name"]],
    [
      "tls",
      { warnDays: 30, maintenance: { cron: "0 3 * * *", timezone: "UTC", duration: 600 } },
      ["name", "alertChannelIds"],
    ],
    ["free", { notifyOn: ["down"] }, []],
  ]);
  const remote = createConfigurationClient({ server: client.url, keyFile }, () => {});
  expect(planReplays({ ...apply, present: await remote.readAlerting(apply) })).toEqual(planned);
});

test.each([
  [["--replay", "30"], "--replay needs --dry-run"],
  [["--dry-run", "--replay", "0"], '--replay must be a whole number of days from 1 to 90, got "0"'],
  [["--dry-run", "--replay", "91"], '--replay must be a whole number of days from 1 to 90, got "91"'],
  [["--dry-run", "--replay", "1.5"], '--replay must be a whole number of days from 1 to 90, got "1.5"'],
  [["--dry-run", "--replay", "a week"], '--replay must be a whole number of days from 1 to 90, got "a week"'],
])("behavior 25.40: %j is a misuse", async (args, message) => {
  const remote = ["--server", server.client.url, "--key-file", keyFile];
  const { code, stdout, stderr } = await stillup(["apply", ...args, "none.yaml", ...remote]);
  expect([code, stdout, stderr]).toEqual([2, "", `stillup: ${message}\n`]);
});
