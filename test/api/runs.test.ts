import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor, type Type } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const anyone = owner.as(undefined);

async function job(config: object = {}): Promise<{ id: string; checkin: string }> {
  const { id } = await createMonitor(owner, "SCHEDULED", { config });
  return { id, checkin: `/api/v1/monitors/${id}/checkin` };
}

async function runsOf(id: string) {
  return (await owner.get(`/api/v1/monitors/${id}/runs`)).body.data;
}

async function resultsOf(id: string) {
  return (await owner.get(`/api/v1/monitors/${id}/results`)).body.data;
}

const raw = (path: string, init: RequestInit = {}, key = owner.key) =>
  fetch(new URL(path, owner.url), { ...init, headers: { authorization: `Bearer ${key}` } });

async function textOf(path: string): Promise<string> {
  const answer = await raw(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

const outputOf = (id: string, run: string, key = owner.key) =>
  raw(`/api/v1/monitors/${id}/runs/${run}/output`, {}, key);

describe("behavior 18.1, 18.2: the URL of a job", () => {
  test.each(["GET", "POST"])("%s records a start, an output, a code and a failure", async (method) => {
    const { id, checkin } = await job();
    const said = async (path: string) => (await anyone.send(method, `${checkin}${path}`)).body;
    expect(await said("/start")).toEqual({ recorded: "started", monitor: id });
    expect(await said("/log")).toEqual({ recorded: "logged", monitor: id });
    expect(await said("/0")).toEqual({ recorded: "ok", monitor: id });
    expect(await said("/1")).toEqual({ recorded: "failure", monitor: id });
    expect(await said("/255")).toEqual({ recorded: "failure", monitor: id });
    expect(await said("/fail")).toEqual({ recorded: "failure", monitor: id });
    expect((await resultsOf(id)).map(({ status }: { status: string }) => status)).toEqual([
      ...["failed", "failed", "failed", "ok"],
    ]);
  });

  test("counts once by HEAD", async () => {
    const { id, checkin } = await job();
    expect((await anyone.send("HEAD", `${checkin}/start`)).status).toBe(200);
    expect((await anyone.send("HEAD", `${checkin}/3`)).status).toBe(200);
    expect(await runsOf(id)).toMatchObject([{ id: "1", outcome: "failed", exitCode: 3 }]);
    expect(await resultsOf(id)).toMatchObject([
      { status: "failed", detail: { exitCode: 3, run: { id: "1" } } },
    ]);
  });

  test.each(["/256", "/1000", "/-1", "/007", "/1.5", "/0x1", "/ok", "/START", "/start/x", "/%00", "/٣"])(
    "%s is a 404 and records nothing",
    async (path) => {
      const { id, checkin } = await job();
      expect(await anyone.get(checkin + path)).toMatchObject({ status: 404, body: { error: "Not found" } });
      expect([await resultsOf(id), await runsOf(id)]).toEqual([[], []]);
    },
  );

  test.each(["PUT", "PATCH", "DELETE"])("%s is a 404", async (method) => {
    const { id, checkin } = await job();
    expect((await anyone.send(method, `${checkin}/start`)).status).toBe(404);
    expect(await runsOf(id)).toEqual([]);
  });

  test.each(["HTTP", "TCP", "TLS", "DNS"] as Type[])("of a %s monitor is a 404", async (type) => {
    const { id } = await createMonitor(owner, type);
    for (const path of ["start", "log", "fail", "3"])
      expect((await anyone.get(`/api/v1/monitors/${id}/checkin/${path}`)).status).toBe(404);
    expect((await owner.get(`/api/v1/monitors/${id}/runs`)).status).toBe(404);
  });
});

describe("behavior 18.3: `rid`", () => {
  test("says which run a request is about", async () => {
    const { id, checkin } = await job();
    for (const path of ["/start?rid=a", "/start?rid=B-2", "/0?rid=a", "?rid=B-2&status=fail"])
      await anyone.get(checkin + path);
    expect(await runsOf(id)).toMatchObject([
      { id: "2", rid: "B-2", outcome: "failed", exitCode: null },
      { id: "1", rid: "a", outcome: "ok", exitCode: 0 },
    ]);
  });

  test.each(["", "a_b", "a b", "é", "x".repeat(65)])("%p is a 422 that records nothing", async (rid) => {
    const { id, checkin } = await job();
    for (const path of ["/start", "/log", "/fail", "/3"])
      expect(
        await anyone.send("POST", `${checkin}${path}?rid=${encodeURIComponent(rid)}`, "text"),
      ).toMatchObject({
        status: 422,
        body: { error: "rid must be 1 to 64 letters, digits and hyphens of ASCII" },
      });
    expect([await resultsOf(id), await runsOf(id)]).toEqual([[], []]);
  });

  test("that is not valid is none for a check-in, whose answer stays as it is", async () => {
    const { id, checkin } = await job();
    await anyone.get(`${checkin}/start`);
    expect(await anyone.get(`${checkin}?rid=a_b`)).toMatchObject({
      status: 200,
      body: { recorded: "ok", monitor: id },
    });
    expect(await runsOf(id)).toMatchObject([{ rid: null, outcome: "ok" }]);
  });
});

describe("behavior 18.10: the body of a POST", () => {
  test("is the output of the run, whatever its type and encoding say", async () => {
    const { id, checkin } = await job();
    await anyone.get(`${checkin}/start`);
    for (const type of ["text/plain", "application/json", "multipart/form-data", "nonsense"])
      await anyone.send("POST", `${checkin}/log`, `{ ${type}\n`, { "content-type": type });
    await anyone.send("POST", `${checkin}/0`, "end");
    const [run] = await runsOf(id);
    expect(await (await outputOf(id, run.id)).text()).toBe(
      "{ text/plain\n{ application/json\n{ multipart/form-data\n{ nonsense\nend",
    );
  });

  test("of a check-in without a start is a run of its own, and its result stays as it was", async () => {
    const { id, checkin } = await job();
    const answer = await anyone.send("POST", `${checkin}?status=fail`, "no space left");
    expect(answer.body).toEqual({ recorded: "failure", monitor: id });
    expect(await resultsOf(id)).toMatchObject([{ status: "failed", latencyMs: null, detail: null }]);
    expect(await runsOf(id)).toMatchObject([
      { id: "1", startedAt: expect.any(String), durationMs: null, outcome: "failed", outputBytes: 13 },
    ]);
  });

  test("is cut after 10,000 bytes, also if it has no length", async () => {
    const { id, checkin } = await job();
    const long = "x".repeat(300_000);
    await anyone.send("POST", checkin, long);
    const chunked = new Blob([long]).stream();
    const sent = await raw(`${checkin}/log`, { method: "POST", body: chunked });
    expect(sent.status).toBe(200);
    expect((await runsOf(id)).map(({ outputBytes }: { outputBytes: number }) => outputBytes)).toEqual([
      10_000, 10_000,
    ]);
  });

  test.each(["", "/fail", "/3", "/0", "/log", "/start"])(
    "over 1 MiB to %p is cut, never refused",
    async (path) => {
      const { id, checkin } = await job();
      const huge = new Uint8Array(2 * 1024 * 1024).fill(97);
      for (const body of [huge, new Blob([huge]).stream()])
        expect((await raw(checkin + path, { method: "POST", body })).status).toBe(200);
      for (const { id: run } of await runsOf(id))
        expect((await (await outputOf(id, run)).text()).length).toBe(10_000);
      expect([await runsOf(id), await resultsOf(id)]).toMatchObject([
        { length: 2 },
        { length: path === "/log" || path === "/start" ? 0 : 2 },
      ]);
    },
  );

  test("without an end is answered as soon as enough of it came", async () => {
    const { id, checkin } = await job();
    const { hostname, port } = new URL(owner.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    socket.write(`POST ${checkin}/3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `ffff\r\n${"b".repeat(0xffff)}\r\n`;
    const writing = setInterval(() => socket.write(chunk), 1);
    expect(await answered).toStartWith("HTTP/1.1 200");
    clearInterval(writing);
    socket.destroy();
    expect(await runsOf(id)).toMatchObject([{ outcome: "failed", exitCode: 3, outputBytes: 10_000 }]);
  });

  test.each(["", "/3"])(
    "of a check-in by %p that does not arrive is not awaited for long",
    async (path) => {
      const { id, checkin } = await job();
      const { hostname, port } = new URL(owner.url);
      const socket = connect(Number(port), hostname);
      const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
      socket.write(`POST ${checkin}${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\nhalf`);
      expect(await answered).toStartWith("HTTP/1.1 200");
      expect(await runsOf(id)).toMatchObject([{ outputBytes: 4 }]);
      expect(await resultsOf(id)).toHaveLength(1);
      socket.destroy();
    },
    300_000,
  );

  test("that breaks off counts as far as it came", async () => {
    const { id, checkin } = await job();
    const { hostname, port } = new URL(owner.url);
    const socket = connect(Number(port), hostname);
    socket.end(`POST ${checkin}/3 HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf`);
    socket.on("error", () => {});
    await eventually(async () => (await runsOf(id)).length === 1);
    expect(await runsOf(id)).toMatchObject([{ outcome: "failed", exitCode: 3 }]);
    socket.destroy();
  });
});

describe("behavior 18.72, 18.73: a report that arrives after the end of its run", () => {
  test("is answered as before, but opens no run and is no second failure", async () => {
    const { id, checkin } = await job();
    await anyone.get(`${checkin}/start?rid=a`);
    expect((await anyone.get(`${checkin}/3?rid=a`)).body).toEqual({ recorded: "failure", monitor: id });
    expect((await anyone.get(`${checkin}/start?rid=a`)).body).toEqual({ recorded: "started", monitor: id });
    expect((await anyone.get(`${checkin}/3?rid=b`)).body).toEqual({ recorded: "failure", monitor: id });
    expect((await anyone.get(`${checkin}/0?rid=b`)).body).toEqual({ recorded: "ok", monitor: id });
    expect((await anyone.send("POST", `${checkin}/fail?rid=b`, "x")).body).toEqual({
      ...{ recorded: "failure", monitor: id },
    });
    expect(await runsOf(id)).toMatchObject([{ rid: "a", outcome: "failed" }]);
    expect(await resultsOf(id)).toHaveLength(2);
  });

  test("and is a start whose client has gone is not recorded", async () => {
    const { id, checkin } = await job();
    const { hostname, port } = new URL(owner.url);
    for (const path of [`${checkin}/start`, `${checkin}/start?rid=a`]) {
      const socket = connect(Number(port), hostname);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.end(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).resume();
      await closed;
    }
    await anyone.get(`${checkin}/log`);
    await anyone.send("POST", `${checkin}/log`, "after");
    expect(await runsOf(id)).toMatchObject([{ outcome: "logged" }]);
  });
});

describe("behavior 18.26: an output", () => {
  const hostile = "\u001b[31m<script>alert(1)</script>\u0000\u202e\r\n";

  test("is plain text that no browser interprets, as it was sent", async () => {
    const { id, checkin } = await job();
    await anyone.send("POST", `${checkin}/log`, hostile);
    const answer = await outputOf(id, "1");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="run-1.txt"');
    expect(await answer.text()).toBe(hostile);
  });

  test("needs a key of the organization, of any role", async () => {
    const { id, checkin } = await job();
    await anyone.send("POST", `${checkin}/log`, "secret");
    const path = `/api/v1/monitors/${id}/runs/1/output`;
    expect((await anyone.get(path)).status).toBe(401);
    expect((await anyone.get(`/api/v1/monitors/${id}/runs`)).status).toBe(401);
    const reader = await outputOf(id, "1", await server.keyWith("viewer"));
    expect(await reader.text()).toBe("secret");
  });

  test.each(["0", "2", "01", "x", "1e0", "%2e%2e", "99999999999"])("of the run %p is a 404", async (run) => {
    const { id, checkin } = await job();
    await anyone.send("POST", `${checkin}/log`, "a");
    expect((await outputOf(id, run)).status).toBe(404);
  });
});

describe("behavior 18.13: the output of a job is its user's secret", () => {
  test("no result, event, report, export, notification, audit entry or public page has it", async () => {
    await using receiver = new Receiver();
    const secret = "hunter2-in-the-output";
    const channel = await createChannel(owner, { type: "WEBHOOK", config: { url: receiver.url } });
    const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channel.id] });
    const checkin = `/api/v1/monitors/${id}/checkin`;
    await anyone.get(checkin);
    await anyone.send("POST", `${checkin}/start`, secret);
    await anyone.send("POST", `${checkin}/3`, secret);
    await eventually(() => receiver.received.length > 0);
    const page = await createPage(owner, {
      title: "P",
      slug: "runs-p",
      visibility: "public",
      components: [{ monitorId: id, name: "job" }],
    });
    const texts = [JSON.stringify(receiver.received)];
    const listed = ["", "/results", "/report", "/runs", "/results.csv"].map(
      (part) => `/api/v1/monitors/${id}${part}`,
    );
    const others = ["events", "outages", "audit", "export", "overview"].map((part) => `/api/v1/${part}`);
    const published = [`/status/${page.slug}`, `/status/${page.slug}/feed.atom`];
    for (const path of [...listed, ...others, "/metrics", ...published]) texts.push(await textOf(path));
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(await (await outputOf(id, "1")).text()).toBe(secret + secret);
  });
});

describe("behavior 18.27: the report of a job", () => {
  test("has the lengths of its runs", async () => {
    const { id, checkin } = await job();
    const report = async () => (await owner.get(`/api/v1/monitors/${id}/report`)).body.data.runs;
    expect(await report()).toBeNull();
    for (const code of [0, 1]) {
      await anyone.get(`${checkin}/start`);
      await anyone.get(`${checkin}/${code}`);
    }
    const runs = await report();
    expect(runs.points).toMatchObject([{ outcome: "ok" }, { outcome: "failed" }]);
    const lengths = runs.points.map(({ durationMs }: { durationMs: number }) => durationMs);
    expect(runs).toMatchObject({ lastMs: lengths[1], longestMs: Math.max(...lengths) });
  });

  test("and `/metrics` counts them", async () => {
    const { checkin } = await job();
    await anyone.get(`${checkin}/start`);
    await anyone.get(checkin);
    expect(await (await raw("/metrics")).text()).toMatch(/stillup_run_duration_seconds_count [1-9]/);
  });
});

test("behavior 14.77: the results as CSV have the exit code and the length of a run", async () => {
  const { id, checkin } = await job();
  await anyone.get(`${checkin}/start`);
  await anyone.get(`${checkin}/3`);
  const [, line = ""] = (await textOf(`/api/v1/monitors/${id}/results.csv`)).split("\r\n");
  expect(line).toMatch(/,3,\d+$/);
});

describe("behavior 18.15, 18.20: `maxRunTime` and `overlap`", () => {
  test.each([0, 604_801, 1.5, "60", null])(
    "maxRunTime %p is refused with what would be right",
    async (maxRunTime) => {
      const { status, body } = await owner.post("/api/v1/monitors", {
        ...{ name: "a", type: "SCHEDULED", config: { maxRunTime } },
      });
      expect([status, body.error]).toEqual([422, expect.stringContaining("config.maxRunTime must be")]);
    },
  );

  test("overlap is `allow` or `fail`", async () => {
    const { status, body } = await owner.post("/api/v1/monitors", {
      ...{ name: "a", type: "SCHEDULED", config: { overlap: "deny" } },
    });
    expect([status, body.error]).toEqual([422, expect.stringContaining("config.overlap must be")]);
  });

  test("are found while the server runs, and an open run is `overrun` then", async () => {
    const { id, checkin } = await job({ maxRunTime: 1, overlap: "fail" });
    await anyone.get(`${checkin}/start?rid=a`);
    await anyone.get(`${checkin}/start?rid=b`);
    expect(await resultsOf(id)).toMatchObject([{ status: "failed", detail: { reason: "overlap" } }]);
    await eventually(async () => (await resultsOf(id)).length === 3);
    expect((await resultsOf(id))[0]).toMatchObject({ status: "failed", detail: { reason: "overrun" } });
    expect(await runsOf(id)).toMatchObject([{ outcome: "overrun" }, { outcome: "overrun" }]);
  });
});

describe("behavior 18.30: the addresses of Healthchecks", () => {
  const uuid = () => crypto.randomUUID();

  test("record the same by the token, and answer as Healthchecks does", async () => {
    const pushToken = uuid();
    const { id } = await job({ pushToken });
    const ping = async (path: string, init: RequestInit = {}) => {
      const answer = await raw(`/ping/${pushToken}${path}`, init);
      const { headers } = answer;
      expect(headers.get("ping-body-limit")).toBe("10000");
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
      return [answer.status, await answer.text()];
    };
    expect(await ping("/start?rid=a")).toEqual([200, "OK"]);
    expect(await ping("/log?rid=a", { method: "POST", body: "hello" })).toEqual([200, "OK"]);
    expect(await ping("/2?rid=a")).toEqual([200, "OK"]);
    expect(await ping("/fail", { method: "HEAD" })).toEqual([200, ""]);
    expect(await ping("")).toEqual([200, "OK"]);
    expect((await resultsOf(id)).map(({ status }: { status: string }) => status)).toEqual([
      "ok",
      "failed",
      "failed",
    ]);
    expect(await runsOf(id)).toMatchObject([{ rid: "a", exitCode: 2, outputBytes: 5 }]);
    expect(await ping("/256")).toEqual([400, "invalid url format"]);
    expect(await ping("/01")).toEqual([400, "invalid url format"]);
    expect(await ping("/start?rid=_")).toEqual([400, "invalid rid format"]);
    expect(await ping("/finish")).toEqual([404, "not found"]);
    expect(await resultsOf(id)).toHaveLength(3);
  });

  test.each([uuid(), "short", "with_line0", "project-key/slug-of-it"])(
    "of the token %p are a 404",
    async (token) => {
      const answer = await raw(`/ping/${token}`);
      expect([answer.status, await answer.text()]).toEqual([404, "not found"]);
    },
  );

  test("of a token with hyphens are also push URLs, and a paused job records", async () => {
    const pushToken = uuid();
    const { id } = await createMonitor(owner, "SCHEDULED", { config: { pushToken }, enabled: false });
    expect((await anyone.get(`/api/push/${pushToken}`)).body).toEqual({ ok: true });
    expect(await (await raw(`/ping/${pushToken}/start`)).text()).toBe("OK");
    expect(await runsOf(id)).toMatchObject([{ outcome: "running" }]);
  });
});
