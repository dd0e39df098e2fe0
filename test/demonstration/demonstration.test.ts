import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { type App, createApp } from "../../src/app.ts";
import { serveDemonstration } from "../../src/cli/demonstration.ts";
import { type Flags, readDemoConfig, UsageError } from "../../src/config.ts";
import { openDemonstration } from "../../src/demonstration/demonstration.ts";
import { HOUR, MINUTE } from "../../src/domain/duration.ts";
import * as log from "../../src/log.ts";
import { createLogger } from "../../src/log.ts";
import { createTestClock, shiftClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { stillup } from "../support/product/command.ts";
import { LITTLE } from "../support/product/server.ts";
import { Client } from "../support/requests/client.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(120_000);

const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const quiet = createLogger({ level: "silent" });

const read = (flags: Flags = {}, env: Record<string, string> = {}) =>
  readDemoConfig(flags, { env, isTerminal: false });

/** Counts connections, and accepts them. */
async function startReceiver() {
  const seen: string[] = [];
  const server: Server = createServer((socket) => {
    seen.push("connected");
    socket.on("data", (bytes) => seen.push(String(bytes)));
    socket.on("error", () => {});
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => resolve());
  await promise;
  const { port } = server.address() as { port: number };
  return { port, seen, [Symbol.dispose]: () => void server.close() };
}

describe("a demonstration", () => {
  const port = freePort();
  const anybody = new Client(`http://127.0.0.1:${port}`);
  const url = anybody.url;
  const ends = new DisposableStack();
  let app: App;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    // Mail begins to fail in two seconds. The probe thread has the time of the system, and would wait for a later one.
    const intoMinute = Date.now() % MINUTE;
    ends.use(shiftClock(-((intoMinute + 2000) % MINUTE)));
    receiver = ends.use(await startReceiver());
    const flags = {
      port: String(port),
      smtpUrl: `smtp://127.0.0.1:${receiver.port}`,
      smtpFrom: "stillup@example.com",
    };
    app = await createApp(read(flags), quiet, LITTLE);
    await app.start();
  });

  afterAll(async () => {
    await app.stop();
    ends.dispose();
  });

  const monitors = async () => (await anybody.get("/api/v1/monitors?limit=100")).body.data;

  const monitor = async (name: string) => {
    const found = (await monitors()).find((one: { name: string }) => one.name === name);
    if (!found) throw new Error(`no monitor ${name}`);
    return found;
  };

  const create = (config: object, type = "HTTP") =>
    anybody.post("/api/v1/monitors", { name: `Mine ${crypto.randomUUID()}`, type, config });

  test("behavior 24.21: a request without a key is one of an owner, and the session says that it is a demonstration", async () => {
    for (const path of ["/api/v1/session", "/api/v1/session/current"]) {
      expect(await anybody.get(path)).toMatchObject({
        status: 200,
        body: { data: { role: "owner", expiresAt: null, demo: true } },
      });
    }
    const stale = { ...OWN_PAGE, cookie: "stillup_session=old" };
    expect(await anybody.send("GET", "/api/v1/session", undefined, stale)).toMatchObject({
      status: 200,
      body: { data: { demo: true } },
    });
    const created = await anybody.post("/api/v1/api-keys", { name: "mine", role: "viewer" });
    expect(created.status).toBe(201);
    const viewer = anybody.as(created.body.data.key);
    expect((await viewer.get("/api/v1/session")).body.data).toMatchObject({ role: "viewer", demo: true });
    expect(await viewer.post("/api/v1/api-keys", { name: "more", role: "viewer" })).toMatchObject({
      status: 403,
    });
    expect(await anybody.as("stillup_wrong").get("/api/v1/monitors")).toMatchObject({ status: 401 });
  });

  test("behavior 24.22: a page of another site changes nothing", async () => {
    const body = { name: "theirs", role: "owner" };
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example.com" }])
      expect(await anybody.send("POST", "/api/v1/api-keys", body, headers)).toMatchObject({ status: 403 });
    expect(await anybody.send("POST", "/api/v1/api-keys", body, OWN_PAGE)).toMatchObject({ status: 201 });
  });

  test("behavior 24.23: it has the examples with their history, and their statuses change", async () => {
    const names = (await monitors()).map(({ name }: { name: string }) => name);
    expect(names).toContain("Checkout");
    const { id } = await monitor("Mail");
    const report = await anybody.get(`/api/v1/monitors/${id}/report?range=90d`);
    expect(report.status).toBe(200);
    const seen = new Set<string>();
    await eventually(async () => {
      seen.add((await monitor("Mail")).status);
      return seen.has("up") && seen.has("down");
    });
    const job = await monitor("Invoices");
    await eventually(async () => {
      const { body } = await anybody.get(`/api/v1/monitors/${job.id}/runs`);
      return body.data.some(({ outcome }: { outcome: string | null }) => outcome === "ok");
    });
  });

  test("behavior 24.24: it creates no file, and says nothing of this machine", async () => {
    const { body } = await anybody.get("/api/v1/server");
    expect(body.data.owner).toMatchObject({ dataDir: "(in memory)", nodes: [{ name: "demonstration" }] });
    expect(body.data.database).toMatchObject({ freeBytes: null, lastBackupAt: null });
    expect(existsSync("(in memory)")).toBe(false);
    await anybody.patch("/api/v1/organization", { name: "Ours" });
    const entries = (await anybody.get("/api/v1/audit")).body.data;
    expect(entries.length).toBeGreaterThan(0);
    for (const { address, actor } of entries) {
      expect(address).toBeNull();
      expect(actor.name).not.toContain("root");
    }
  });

  describe("behavior 24.25: a target other than itself is a 422", () => {
    const elsewhere: [string, object][] = [
      ["HTTP", { url: "https://example.com/" }],
      ["HTTP", { url: "http://127.0.0.1:1/" }],
      ["HTTP", { url: `http://localhost.example.com:${port}/` }],
      ["HTTP", { url: `http://127.0.0.1.nip.io:${port}/` }],
      ["HTTP", { url: `http://169.254.169.254:${port}/` }],
      ["HTTP", { url: `http://127.0.0.1:${port}@example.com/` }],
      ["TCP", { host: "127.0.0.1", port: 22 }],
      ["TCP", { host: "example.com", port }],
      ["TCP", { host: "example.com", protocol: "icmp" }],
      ["TLS", { host: "example.com", port: 443 }],
      ["DNS", { hostname: "localhost" }],
      ["DNS", { hostname: "127.0.0.1", servers: ["127.0.0.1"] }],
    ];

    test.each(elsewhere)("%s %o", async (type, config) => {
      const values = { interval: 60, ...config };
      const { status, body } = await create(values, type);
      expect({ status, error: body.error }).toEqual({
        status: 422,
        error: expect.stringMatching(/^config\.\w+ (must be|can't be used here)/),
      });
      expect((await anybody.post("/api/v1/probe", { type, config: values })).status).toBe(422);
    });

    test.each([
      ["TCP", { host: "127.0.0.1", port: 22 }, `config.port must be ${port}`],
      [
        "TCP",
        { host: "example.com", port },
        "config.host must be an address of this server, such as 127.0.0.1",
      ],
      ["TLS", { host: "localhost", port, registration: true }, "config.registration can't be used here"],
      ["DNS", { hostname: "localhost" }, "config.hostname can't be used here"],
    ])("%s %o says which field, and what would be right", async (type, config, error) => {
      const target = { type, config: { interval: 60, ...config } };
      expect(await anybody.post("/api/v1/probe", target)).toMatchObject({
        status: 422,
        body: { error: `${error}: a demonstration checks only itself` },
      });
    });

    const refused = {
      status: 422,
      body: { error: expect.stringContaining("a demonstration checks only itself") },
    };
    const config = { url: "https://example.com/", interval: 60 };

    test("also by each other way to write a monitor", async () => {
      const own = await create({ url: `${url}/healthz`, interval: 60 });
      expect(own.status).toBe(201);
      const path = `/api/v1/monitors/${own.body.data.id}`;
      expect(await anybody.patch(path, { config })).toMatchObject(refused);
      expect(
        await anybody.put("/api/v1/monitors/by-ref/theirs", { name: "x", type: "HTTP", config }),
      ).toMatchObject(refused);
      const document = { monitors: { theirs: { name: "x", type: "HTTP", config } } };
      expect(await anybody.post("/api/v1/apply", document)).toMatchObject(refused);
      expect(
        (await monitors()).filter((one: { config: { url?: string } }) => one.config.url === config.url),
      ).toEqual([]);
    });
  });

  test("behavior 24.26: itself is checked, by each of its names", async () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const target = { type: "HTTP", config: { url: `http://${host}:${port}/healthz`, interval: 60 } };
      expect(await anybody.post("/api/v1/probe", target)).toMatchObject({
        status: 200,
        body: { data: { status: "up" } },
      });
    }
  });

  test("behavior 24.27: it sends nothing to anybody", async () => {
    const endpoint = `http://127.0.0.1:${receiver.port}/`;
    const channels = [
      { type: "WEBHOOK", config: { url: endpoint } },
      { type: "WEBHOOK", config: { url: endpoint, format: "ntfy", options: { topic: "a" } } },
      { type: "SLACK", config: { webhookUrl: "https://hooks.slack.com/services/T/B/x" } },
      { type: "EMAIL", config: { to: "ana@example.com" } },
    ];
    const ids: string[] = [];
    for (const channel of channels) {
      const { status, body } = await anybody.post("/api/v1/alerts", { name: channel.type, ...channel });
      if (status !== 201) continue;
      ids.push(body.data.id);
      const tested = await anybody.post(`/api/v1/alerts/${body.data.id}/test`);
      expect(JSON.stringify(tested.body)).toContain("failed");
    }
    expect(ids.length).toBeGreaterThan(2);
    const config = { url: `${url}/healthz`, interval: 5, expect: { status: [200] } };
    const values = { name: "Fails soon", type: "HTTP", config, alertChannelIds: ids };
    const { id } = (await anybody.post("/api/v1/monitors", values)).body.data;
    await eventually(async () => (await monitor("Fails soon")).status === "up");
    const failing = { config: { ...config, url: `${url}/demonstration/nothing` } };
    expect(await anybody.patch(`/api/v1/monitors/${id}`, failing)).toMatchObject({ status: 200 });
    expect(await anybody.post("/api/v1/people", { email: "ben@example.com", role: "viewer" })).toMatchObject({
      status: 201,
    });
    expect(
      (await anybody.post("/api/v1/server/mail-test", { to: "ben@example.com" })).body.data,
    ).toMatchObject({ outcome: "failed" });
    await anybody.post("/api/v1/session/link", { email: "ben@example.com" });
    for (const channel of ids) {
      const [first] = await eventually(async () => {
        const { body } = await anybody.get(`/api/v1/alerts/${channel}/deliveries`);
        return body.data.some(({ status }: { status: string }) => status === "failed") && body.data;
      });
      expect(first.error).toMatch(/a demonstration sends nothing|can't send e-mail/);
    }
    expect(receiver.seen).toEqual([]);
  });

  test("behavior 24.28: each page says Demonstration, in each encoding", async () => {
    const { id } = await monitor("Checkout");
    const locked = {
      slug: "locked",
      title: "Locked",
      visibility: "password",
      password: "a long password",
      components: [],
    };
    await anybody.post("/api/v1/pages", locked);
    const pages = [
      "/",
      `/monitors/${id}`,
      "/settings",
      "/wall",
      "/nothing-here",
      "/docs",
      "/guide",
      "/guide/start",
    ];
    const publicPages = ["/status/shop", "/status/shop/history", "/status/locked", "/status/nothing-here"];
    for (const path of [...pages, ...publicPages]) {
      for (const encoding of ["identity", "gzip", "br"]) {
        const response = await fetch(url + path, {
          headers: { accept: "text/html", "accept-encoding": encoding, "accept-language": "ar" },
        });
        const text = await response.text();
        expect({ path, says: text.includes("<body") && text.includes(">Demonstration: anybody") }).toEqual({
          path,
          says: true,
        });
        const policy = response.headers.get("content-security-policy") ?? "";
        const [, style = ""] = /<style>(#demonstration[^<]*)/.exec(text) ?? [];
        const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
        expect(policy.includes(`'sha256-${hash}'`) || policy.includes("'unsafe-inline'")).toBe(true);
      }
    }
    expect(await (await fetch(`${url}/healthz`)).text()).not.toContain("Demonstration");
  });

  test("behavior 24.29: what strangers may fill is bounded", async () => {
    const own = { url: `${url}/healthz`, interval: 86_400 };
    let created = 0;
    let refused: unknown;
    for (let at = 0; at < 120 && !refused; at++) {
      const { status, body } = await create(own);
      if (status === 201) created++;
      else refused = { status, body };
    }
    // No plan has more.
    expect(refused).toEqual({ status: 422, body: { error: "This server has enough monitors: delete some" } });
    expect(created).toBeLessThan(100);
    expect(await anybody.post("/api/v1/locations", { name: "Elsewhere" })).toMatchObject({ status: 422 });
    const document = {
      monitors: Object.fromEntries(
        Array.from({ length: 50 }, (_, at) => [`m${at}`, { name: `${at}`, type: "HTTP", config: own }]),
      ),
    };
    expect((await anybody.post("/api/v1/apply", document)).status).toBe(422);
    expect((await monitors()).length).toBeLessThanOrEqual(100);
  });

  test("behavior 24.29: the changes of one client are limited, and its reads are not", async () => {
    const answers = await Promise.all(
      Array.from({ length: 700 }, () => anybody.send("PATCH", "/api/v1/organization", { name: "Ours" })),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await anybody.get("/api/v1/session")).status).toBe(200);
    // A check-in is recorded, whatever its method.
    const { id } = await monitor("Nightly backup");
    const paths = [
      "/ping/unknown",
      "/ping/unknown/start",
      "/api/push/unknown",
      `/api/v1/monitors/${id}/checkin`,
    ];
    for (const path of paths) {
      const checkins = await Promise.all(Array.from({ length: 200 }, () => fetch(url + path)));
      expect({ path, limited: checkins.some(({ status }) => status === 429) }).toEqual({
        path,
        limited: true,
      });
    }
  });
});

test("behavior 24.30: a job whose demonstration has ended reports nothing more", async () => {
  const clock = createTestClock();
  const own = { host: "127.0.0.1", port: 1 };
  const demonstration = await openDemonstration(own, { clock, log: quiet, refusals: {} });
  const reports: string[] = [];
  const handle = ({ url }: Request) => {
    reports.push(url.split("/checkin/")[1] ?? "");
    return new Response();
  };
  demonstration.served({ server: null, handle }, { addressOf: () => "127.0.0.1" });
  await clock.until(() => reports.length > 0);
  expect(reports).toEqual(["start"]);
  demonstration.stop();
  await clock.advance(MINUTE);
  expect(reports).toEqual(["start"]);
  await demonstration.store.close();
});

describe("behavior 24.20: a demonstration takes no database", () => {
  test.each([
    ["--data-dir", "data"],
    ["--database-url", "postgres://u@localhost/db"],
  ])("%s ends with code 2", async (flag, value) => {
    expect(await stillup(["serve", "--demo", flag, value])).toEqual({
      code: 2,
      stdout: "",
      stderr: `stillup: ${flag} must be left out with --demo: a demonstration has its database in memory\n`,
    });
  });

  test("a host that is not of this machine is wrong, on any port", async () => {
    expect(await stillup(["serve", "--demo", "--host", "192.0.2.1", "--port", "0"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `stillup: --host must be an address of this machine, got "192.0.2.1"\n`,
    });
  });

  test("the variables are ignored, and so is everything that reaches others", () => {
    const env = {
      STILLUP_DATA_DIR: "/var/lib/stillup",
      STILLUP_DATABASE_URL: "nonsense",
      STILLUP_DATABASE_PASSWORD_FILE: "/no/such/file",
      STILLUP_SMTP_URL: "smtp://mail.example.com",
      STILLUP_SMTP_FROM: "stillup@example.com",
      STILLUP_OWNER_EMAIL: "ana@example.com",
      STILLUP_OIDC_ISSUER: "https://id.example.com",
      STILLUP_OIDC_CLIENT_ID: "stillup",
      STILLUP_NETWORK_CHECK: "example.com:443",
      STILLUP_DNS_SERVERS: "192.0.2.1",
    };
    const config = read({ port: "1" }, env);
    expect(config).toMatchObject({ port: 1, dataDir: "(in memory)", probes: { privateTargets: "allow" } });
    for (const name of ["databaseUrl", "smtp", "oidc", "configuration", "ownerEmail"])
      expect(config).not.toHaveProperty(name);
    expect(Object.keys(config.probes)).toEqual(["privateTargets"]);
  });

  test("other wrong settings are wrong there too", () => {
    expect(() => read({ port: "x" })).toThrow(UsageError);
  });
});

test("behavior 24.30: it starts again at the full hour, on the same port, and stops by a signal", async () => {
  const lines = spyOn(log, "writeToOutput").mockImplementation(() => {});
  using dir = tempDir();
  const before = process.cwd();
  process.chdir(dir.path);
  try {
    const config = read({ port: "0" });
    const ended = serveDemonstration(config, quiet);
    const url = await eventually(() => /http\S+/.exec(String(lines.mock.calls[0]?.[0]))?.[0]);
    const anybody = new Client(url);
    const names = async () => {
      try {
        const { body } = await anybody.get("/api/v1/monitors?limit=100");
        return body.data.map(({ name }: { name: string }) => name);
      } catch {
        return undefined;
      }
    };
    const own = { name: "Mine", type: "HTTP", config: { url: `${url}/healthz`, interval: 60 } };
    expect((await anybody.post("/api/v1/monitors", own)).status).toBe(201);
    expect(await names()).toContain("Mine");
    using _ = shiftClock(-HOUR);
    await eventually(async () => {
      const all = await names();
      return all?.includes("Checkout") && !all.includes("Mine");
    });
    process.emit("SIGTERM");
    await ended;
    expect(readdirSync(dir.path)).toEqual([]);
  } finally {
    process.chdir(before);
    lines.mockRestore();
  }
});

test("behavior 24.20: nothing of it is loaded without --demo", async () => {
  for (const file of ["src/app.ts", "src/cli/serve.ts", "src/store/open-store.ts"]) {
    const source = await Bun.file(file).text();
    const loaded = [...source.matchAll(/^import (?!type )[^;]*"([^"]+)";/gm)].map(([, path]) => path);
    expect({
      file,
      loaded: loaded.filter((path) => /demonstration|memory|examples/.test(path ?? "")),
    }).toEqual({
      file,
      loaded: [],
    });
  }
});
