import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfigurationClient } from "../../src/cli/configuration-client.ts";
import { UsageError } from "../../src/config.ts";
import { FaultsError } from "../../src/domain/configuration/history.ts";
import { AppError } from "../../src/errors.ts";
import { closedPort } from "../support/servers/tcp-server.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const KEY = `stillup_${"a".repeat(43)}`;
const OPTIONS = { prune: "none", isDryRun: false } as const;

let folder: TempDir;
let requests: { method: string; path: string; authorization: string | null; body: string }[];
let answer: () => Response;
let server: Bun.Server<undefined>;

beforeEach(() => {
  folder = tempDir();
  requests = [];
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const authorization = request.headers.get("authorization");
      const body = await request.text();
      requests.push({ method: request.method, path: pathname + search, authorization, body });
      return answer();
    },
  });
});

afterEach(async () => {
  await server.stop(true);
  folder[Symbol.dispose]();
});

function client({
  url = `http://127.0.0.1:${server.port}`,
  key = `${KEY}\n`,
  warn = (_: string) => {},
} = {}) {
  const keyFile = join(folder.path, "key");
  writeFileSync(keyFile, key, { mode: 0o600 });
  return createConfigurationClient({ server: url, keyFile }, warn);
}

async function thrownBy(step: () => unknown): Promise<Error> {
  try {
    await step();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("apply and export of a server", () => {
  test("behavior 16.68: use its API with the key of the file", async () => {
    const change = { action: "create", kind: "monitor", ref: "shop", fields: ["type"] };
    answer = () => Response.json({ data: { changes: [change], more: 1 } });
    const document = { monitors: { shop: { type: "SCHEDULED" } } };
    expect((await client().apply(document, OPTIONS)).changes).toEqual([change] as never);
    await client().apply({}, { prune: "some", isDryRun: true });
    await client().apply({}, { prune: "all", isDryRun: false });
    answer = () => Response.json({ data: { document, secrets: ["A"] } });
    expect(await client().export()).toEqual({ document, secrets: ["A"] });
    answer = () => Response.json({ data: { refs: 2 } });
    await client().setRefs();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/apply",
      "POST /api/v1/apply?dryRun=true&prune=true",
      "POST /api/v1/apply?prune=all",
      "GET /api/v1/export",
      "POST /api/v1/export/refs",
    ]);
    expect(requests[0]).toMatchObject({ authorization: `Bearer ${KEY}`, body: JSON.stringify(document) });
  });

  test("behavior 16.68: faults of the document keep their paths, so that the file gives them lines", async () => {
    const faults = [{ path: "monitors.shop.config.url", message: "must be a URL", got: "shop" }];
    answer = () => Response.json({ error: "monitors.shop…", faults }, { status: 422 });
    const error = await thrownBy(() => client().apply({}, OPTIONS));
    expect(error).toBeInstanceOf(FaultsError);
    expect((error as FaultsError).faults).toEqual(faults);
  });

  test.each([
    [401, { error: "Unauthorized" }, "Unauthorized: the key is unknown, expired or deleted"],
    [403, { error: "Forbidden" }, "Forbidden: the role of the key must be admin or owner"],
    [422, { error: "--prune would delete 3 of 10 monitors" }, "--prune would delete 3 of 10 monitors"],
    [404, { error: "Not found" }, "it does not know this request: its version is older, or the URL is wrong"],
    [200, { data: {} }, "it answered 200 with something else than a server of stillup does"],
    [200, "<html>", "it answered 200 with something else than a server of stillup does"],
    [502, "Bad gateway", "it answered 502 with something else than a server of stillup does"],
    [301, "", "it answered 301 with something else than a server of stillup does"],
  ])("behavior 16.68: an answer %d %j is an error that names the server", async (status, body, reason) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    answer = () => new Response(text, { status, headers: { location: "/elsewhere" } });
    const error = await thrownBy(() => client().apply({}, OPTIONS));
    expect(error).toBeInstanceOf(AppError);
    expect(error.message).toBe(`http://127.0.0.1:${server.port}: ${reason}`);
    expect(requests).toHaveLength(1);
  });

  test("behavior 16.68: a server that can't be reached is named, without the key", async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const { message } = await thrownBy(() => client({ url }).apply({}, OPTIONS));
    expect(message).toStartWith(`${url}: `);
    expect(message).not.toContain(KEY);
  });

  test("behavior 16.68: a file without an API key is wrong, and its content is not repeated", async () => {
    for (const key of ["", "s3cret", `stillup_probe_${"a".repeat(43)}`]) {
      const error = await thrownBy(() => client({ key }));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toEndWith("must be an API key, which begins with stillup_");
    }
  });

  test("behavior 16.68: a key that would be sent in plain text to another machine is worth a warning", () => {
    const warnings: string[] = [];
    const warn = (sentence: string) => void warnings.push(sentence);
    for (const url of ["http://127.0.0.1:1", "http://localhost", "https://status.example.com"])
      client({ url, warn });
    expect(warnings).toEqual([]);
    client({ url: "http://status.example.com", warn });
    expect(warnings).toEqual(["the key is sent in plain text: use https"]);
  });
});

describe("the replay of a server", () => {
  const REQUEST = { selector: { monitorIds: ["a"] }, days: 30, changes: { confirmations: 2 } };
  const counts = { outages: 1, notifications: { min: 1, max: 2 }, downSeconds: 60 };
  const later = { medianSeconds: 0, maxSeconds: 0 };
  const data = { present: counts, changed: counts, later, missed: [], gone: [], exact: false, more: 1 };

  test("behavior 25.45: is asked again while another one runs, as late as the server wants", async () => {
    const busy = Response.json({ error: "busy" }, { status: 429, headers: { "retry-after": "0.01" } });
    const answers = [busy, busy.clone(), Response.json({ data })];
    answer = () => answers.shift() as Response;
    expect(await client().replay(REQUEST)).toEqual(data as never);
    expect(requests).toHaveLength(3);
    for (const { method, path, body } of requests)
      expect([method, path, JSON.parse(body)]).toEqual(["POST", "/api/v1/replay", REQUEST]);
  });

  test("behavior 25.45: is given up if the server wants more patience than there is", async () => {
    answer = () => Response.json({ error: "busy" }, { status: 429, headers: { "retry-after": "3600" } });
    const { message } = await thrownBy(() => client().replay(REQUEST));
    expect(message).toBe(`http://127.0.0.1:${server.port}: busy`);
    expect(requests).toHaveLength(1);
  });

  test("behavior 16.68: no other request is asked again", async () => {
    answer = () => Response.json({ error: "busy" }, { status: 429, headers: { "retry-after": "0" } });
    await thrownBy(() => client().apply({}, OPTIONS));
    expect(requests).toHaveLength(1);
  });
});

describe("behavior 9.22: a key file", () => {
  test.each([
    [0o600, undefined],
    [0o400, undefined],
    [0o640, "its group"],
    [0o604, "all users"],
    [0o644, "all users"],
  ])("with mode %o can be read by: %p", (mode, readers) => {
    const warnings: string[] = [];
    client();
    const keyFile = join(folder.path, "key");
    chmodSync(keyFile, mode);
    createConfigurationClient({ server: "https://127.0.0.1:1", keyFile }, (sentence) =>
      warnings.push(sentence),
    );
    expect(warnings).toEqual(
      readers === undefined ? [] : [`${keyFile} can be read by ${readers}: its mode should be 0600`],
    );
  });
});

test("behavior 9.21: an error of a server is one line without controls of a terminal", async () => {
  answer = () => Response.json({ error: "gone\u001b[2J\nstillup: done\u202e" }, { status: 500 });
  const error = await thrownBy(() => client().export());
  expect(error.message).toEndWith(": gone\\u001b[2J\\u000astillup: done\\u202e");
});
