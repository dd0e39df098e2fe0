import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { CHANNEL_TYPES } from "../../src/domain/alerts/channel.ts";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { type Sample, scrape } from "../support/requests/scrape.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The name under which the engine reports its size. */
const DATABASE = engineOfTests().name === "sqlite" ? "stillup.db" : "database";

const folder = tempDir();
let server: TestServer;
let target: HttpTarget;
let owner: Client;

beforeAll(async () => {
  server = await TestServer.start({ discover: { files: `${folder.path}/*.json` } });
  target = new HttpTarget();
  owner = server.client;
  // Before there are other organizations.
  await eventually(async () => (await owner.get("/api/v1/discovery")).body.data.sources.length > 0);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function valueIn(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  return samples.find(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )?.value;
}

describe("/metrics", () => {
  test("behavior 7.72: needs a key, of any role", async () => {
    expect((await fetch(`${owner.url}/metrics`)).status).toBe(401);
    const { status, contentType } = await scrape(owner.as(await server.keyWith("viewer")));
    expect({ status, contentType }).toEqual({
      status: 200,
      contentType: "text/plain; version=0.0.4; charset=utf-8",
    });
  });

  test("has counters of checks, check-ins and deliveries, and the status of monitors", async () => {
    const client = await server.organization();
    const channel = { name: "hook", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } };
    const { id: channelId } = (await client.post("/api/v1/alerts", channel)).body.data;
    const name = 'a "quoted"\\ name\nof two lines';
    const config = { url: target.url, interval: 60 };
    await client.post("/api/v1/monitors", { name, type: "HTTP", config });
    const alertChannelIds = [channelId];
    const job = (
      await client.post("/api/v1/monitors", newMonitor("SCHEDULED", { name: "job", alertChannelIds }))
    ).body.data;
    await createMonitor(client, "SCHEDULED");
    await client.get(`/api/v1/monitors/${job.id}/checkin`);
    await client.get(`/api/v1/monitors/${job.id}/checkin?status=fail`);

    const samples = await eventually(async () => {
      const seen = (await scrape(client)).samples;
      // A check is counted before its result is recorded.
      const isRecorded = valueIn(seen, "stillup_monitor_up", { name });
      const isAttempted = valueIn(seen, "stillup_delivery_attempts_total", {
        type: "WEBHOOK",
        outcome: "retried",
      });
      return isRecorded && isAttempted ? seen : undefined;
    });
    const value = (of: string, labels?: Record<string, string>) => valueIn(samples, of, labels);
    expect(value("stillup_checks_total", { type: "HTTP", status: "up" })).toBe(1);
    expect(value("stillup_check_latency_seconds_count", { type: "HTTP" })).toBe(1);
    expect(value("stillup_check_lateness_seconds_count")).toBe(1);
    expect(value("stillup_checkins_total", { status: "ok" })).toBe(1);
    expect(value("stillup_checkins_total", { status: "failed" })).toBe(1);
    expect(value("stillup_delivery_attempts_total", { type: "WEBHOOK", outcome: "retried" })).toBe(1);
    expect(value("stillup_deliveries_waiting")).toBe(1);
    expect(value("stillup_requests_refused_total", { limit: "failed_attempts" })).toBe(0);
    expect(value("stillup_requests_refused_total", { limit: "checkins" })).toBe(0);
    expect(value("stillup_monitors", { type: "SCHEDULED", status: "failed", enabled: "true" })).toBe(1);
    expect(value("stillup_monitors", { type: "SCHEDULED", status: "unknown" })).toBe(1);
    expect(value("stillup_monitor_up", { name, type: "HTTP" })).toBe(1);
    expect(value("stillup_monitor_latency_seconds", { name })).toBeGreaterThan(0);
    expect(value("stillup_monitor_up", { name: "job", type: "SCHEDULED" })).toBe(0);
    expect(value("stillup_recorder_commit_results_count")).toBeGreaterThan(0);
    expect(value("stillup_database_bytes", { file: DATABASE })).toBeGreaterThan(0);
    expect(value("stillup_healthy", { part: "database" })).toBe(1);
    expect(value("stillup_nodes")).toBe(1);
    expect(value("stillup_monitors_blind")).toBe(0);
    // PostgreSQL may be on another machine.
    if (engineOfTests().name === "sqlite") expect(value("stillup_disk_free_bytes")).toBeGreaterThan(0);
    else expect(value("stillup_disk_free_bytes")).toBeUndefined();
    for (const sample of samples) expect(Number.isFinite(sample.value)).toBe(true);
  });

  test("behavior 7.72: attempts are counted from 0, so that an increase includes the first one that failed", async () => {
    const { samples } = await scrape(await server.organization());
    for (const type of CHANNEL_TYPES) {
      for (const outcome of ["delivered", "retried", "failed"])
        expect([
          type,
          outcome,
          valueIn(samples, "stillup_delivery_attempts_total", { type, outcome }),
        ]).toEqual([type, outcome, 0]);
    }
  });

  test("behavior 7.72: has no data of another organization, and no check-in URL", async () => {
    const [ours, theirs] = [await server.organization(), await server.organization()];
    const { id } = await createMonitor(theirs, "SCHEDULED");
    await theirs.get(`/api/v1/monitors/${id}/checkin`);
    await createMonitor(theirs, "HTTP");
    await eventually(async () => valueIn((await scrape(theirs)).samples, "stillup_checks_total"));
    expect((await scrape(theirs)).text).not.toContain(id);
    const { samples } = await scrape(ours);
    const told = samples.filter(
      ({ labels, value }) =>
        value > 0 && Object.keys(labels).some((name) => /^(name|type|status)$/.test(name)),
    );
    expect(told).toEqual([]);
    for (const name of ["stillup_check_lateness_seconds_count", "stillup_missed_checkins_total"]) {
      expect(valueIn(samples, name)).toBe(0);
    }
  });

  test("has the expiry of certificates, the earliest of those with the same name, and none of paused monitors", async () => {
    const client = await server.organization();
    const authority = await createAuthority();
    const ends: number[] = [];
    const listen = async (left: number) => {
      const certificate = await authority.issue([{ type: "ip", value: "127.0.0.1" }], { left });
      ends.push(Date.parse(new X509Certificate(certificate.cert).validTo) / 1000);
      return Bun.serve({ port: 0, hostname: "127.0.0.1", tls: certificate, fetch: () => new Response() });
    };
    await using sooner = await listen(5);
    await using later = await listen(60);
    const watch = (name: string, port: number | undefined) =>
      createMonitor(client, "TLS", { name, config: { host: "127.0.0.1", port, interval: 86_400 } });
    for (const [name, { port }] of [
      ["twin", later],
      ["twin", sooner],
      ["later", later],
    ] as const) {
      await watch(name, port);
    }
    const paused = await watch("paused", later.port);
    await createMonitor(client, "TLS", { name: "closed" });
    const checked = async () => (await scrape(client)).samples;
    await eventually(
      async () => valueIn(await checked(), "stillup_monitors", { status: "unknown" }) === undefined,
    );
    await client.patch(`/api/v1/monitors/${paused.id}`, { enabled: false });
    const told = (await checked()).filter(
      ({ name }) => name === "stillup_monitor_certificate_expiry_timestamp_seconds",
    );
    const byName = told.map(({ labels, value }) => [labels.name, labels.type, value]);
    expect(byName.sort()).toEqual([
      ["later", "TLS", ends[1]],
      ["twin", "TLS", ends[0]],
    ]);
  });

  test("monitors with the same name share a series, with the worst status", async () => {
    const client = await server.organization();
    const names = ["twin", "twin"];
    const [first] = await Promise.all(
      names.map(
        async (name) => (await client.post("/api/v1/monitors", newMonitor("SCHEDULED", { name }))).body.data,
      ),
    );
    await client.get(`/api/v1/monitors/${first.id}/checkin?status=fail`);
    const { samples } = await scrape(client);
    const twins = samples.filter(
      ({ name, labels }) => name === "stillup_monitor_up" && labels.name === "twin",
    );
    expect(twins.map(({ value }) => value)).toEqual([0]);
  });

  test("a paused monitor has no sample of its status", async () => {
    const client = await server.organization();
    const { id } = (await client.post("/api/v1/monitors", newMonitor("SCHEDULED", { name: "resting" }))).body
      .data;
    await client.get(`/api/v1/monitors/${id}/checkin?status=fail`);
    await client.patch(`/api/v1/monitors/${id}`, { enabled: false });
    const { samples } = await scrape(client);
    expect(valueIn(samples, "stillup_monitor_up", { name: "resting" })).toBeUndefined();
    expect(valueIn(samples, "stillup_monitors", { status: "failed", enabled: "false" })).toBe(1);
  });
});

test("docs/monitoring.md lists exactly the metrics that exist, with their types", async () => {
  const { types } = await scrape(owner);
  const text = await Bun.file("docs/monitoring.md").text();
  const rows = [...text.matchAll(/^\| `(\w+)`\S* *\| (\w+) *\|/gm)].map(([, name, type]) => [
    name ?? "",
    type ?? "",
  ]);
  expect(Object.fromEntries(rows)).toEqual(types);
});
