import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { parseAnswer, sendRaw } from "../support/requests/raw-request.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const MONITORS = "/api/v1/monitors";
const MIB = 1024 * 1024;

/** Sends a raw request, with the owner key unless another authorization is given. */
async function raw(
  line: string,
  {
    headers = [],
    body = "",
    authorization = `Bearer ${owner.key}`,
  }: { headers?: string[]; body?: string | Uint8Array; authorization?: string | null } = {},
) {
  const known = [
    ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
    ...(headers.some((header) => /^(host|no-host)/i.test(header)) ? [] : ["Host: localhost"]),
    ...(headers.some((header) => /^(content-length|transfer)/i.test(header)) || body.length === 0
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const head = [line, ...known, ...headers, "Connection: close", "", ""].join("\r\n");
  return parseAnswer(await sendRaw(owner.url, Buffer.concat([Buffer.from(head), Buffer.from(body)])));
}

function post(body: string | Uint8Array, headers: string[] = []) {
  return raw(`POST ${MONITORS} HTTP/1.1`, { body, headers });
}

describe("behavior 7.13: a hostile request gets an answer of the error model", () => {
  test.each(["[", "a b", "", "é", "a", "x/y?status=fail#z"])(
    "behavior 7.64: a check-in counts with any Host: %p",
    async (host) => {
      const { id } = await createMonitor(owner, "SCHEDULED");
      const line = `GET ${MONITORS}/${id}/checkin?status=fail HTTP/1.1`;
      expect(await raw(line, { headers: [`Host: ${host}`], authorization: null })).toEqual({
        status: 200,
        body: { recorded: "failure", monitor: id },
      });
    },
  );

  test("behavior 7.64: a check-in counts without a Host, as in HTTP 1.0", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    const line = `GET ${MONITORS}/${id}/checkin HTTP/1.0`;
    expect(await raw(line, { headers: ["No-Host: x"], authorization: null })).toMatchObject({ status: 200 });
  });

  test.each(["%E0%A4%A", "%", "%00", "a%2Fb", "%F0%9F%A6%8A", "é", "..%2f..", "x".repeat(8000)])(
    "an impossible ID in a path is a 404: %s",
    async (id) => {
      for (const method of ["GET", "DELETE"]) {
        expect(await raw(`${method} ${MONITORS}/${id} HTTP/1.1`)).toEqual({
          status: 404,
          body: { error: "Not found" },
        });
      }
    },
  );

  test.each(["//api/v1/monitors", "/api//v1/monitors", "/API/V1/monitors", "/api/v1/%6Donitors"])(
    "a path that is almost right is a 404: %s",
    async (path) => {
      expect((await raw(`GET ${path} HTTP/1.1`)).status).toBe(404);
    },
  );

  test("one slash at the end of a path has no effect", async () => {
    expect((await raw(`GET ${MONITORS}/ HTTP/1.1`)).status).toBe(200);
    expect((await raw(`GET ${MONITORS}/ HTTP/1.1`, { authorization: null })).status).toBe(401);
  });

  test.each(["OPTIONS", "TRACE", "PUT", "CONNECT"])("%s is a 404, with or without a key", async (method) => {
    for (const authorization of [`Bearer ${owner.key}`, null]) {
      expect(await raw(`${method} ${MONITORS} HTTP/1.1`, { authorization })).toEqual({
        status: 404,
        body: { error: "Not found" },
      });
    }
  });

  test("the answer to HEAD is that to GET without the body", async () => {
    expect(await raw(`HEAD ${MONITORS} HTTP/1.1`)).toEqual({ status: 200, body: "" });
    expect((await raw(`HEAD ${MONITORS} HTTP/1.1`, { authorization: null })).status).toBe(401);
  });

  test.each([
    ["type=HTTP%00", "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"],
    ["type=http", "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED"],
  ])("rejects the query %s", async (query, error) => {
    expect(await raw(`GET ${MONITORS}?${query} HTTP/1.1`)).toEqual({ status: 422, body: { error } });
  });

  test.each(["_=1", "tpye=HTTP", "a/b~c=1", "=1", "__proto__=1", "x=1&x=2", `${"x".repeat(8000)}=1`])(
    "behavior 7.17: ignores the unknown parameter %s on every route",
    async (query) => {
      const { id } = (await owner.post(MONITORS, newMonitor("SCHEDULED"))).body.data;
      const channel = await createChannel(owner);
      for (const path of [
        MONITORS,
        `${MONITORS}/${id}`,
        `${MONITORS}/${id}/results`,
        `${MONITORS}/${id}/report`,
        "/api/v1/events",
        "/api/v1/status",
        "/api/v1/overview",
        "/api/v1/alerts",
        `/api/v1/alerts/${channel.id}`,
        `/api/v1/alerts/${channel.id}/deliveries`,
        "/api/v1/api-keys",
        "/api/v1/organization",
        "/api/v1/session",
        "/healthz",
        "/metrics",
        "/docs/json",
        "/",
      ]) {
        const { status } = await fetch(`${owner.url}${path}?${query}`, {
          headers: { authorization: `Bearer ${owner.key}` },
        });
        expect({ path, status }).toEqual({ path, status: 200 });
      }
      expect((await owner.post(`${MONITORS}?${query}`, newMonitor("SCHEDULED"))).status).toBe(201);
    },
  );

  test("does not confuse an unknown parameter with an internal one", async () => {
    expect((await owner.get("/api/v1/events?before=1&organizationId=x&limit=1")).body.data).toHaveLength(1);
  });

  test.each(["007", "9".repeat(400)])("behavior 7.22: accepts limit=%s", async (limit) => {
    expect((await raw(`GET /api/v1/events?limit=${limit} HTTP/1.1`)).status).toBe(200);
  });
});

describe("behavior 7.8, 7.18: a body", () => {
  const scheduled = newMonitor("SCHEDULED");

  test("is read as JSON with any content type, and without one", async () => {
    for (const type of ["", "text/plain", "multipart/form-data; boundary=x", "é;;", "application/xml"]) {
      const headers = type ? [`Content-Type: ${type}`] : [];
      expect((await post(JSON.stringify(scheduled), headers)).status).toBe(201);
    }
  });

  test.each([
    ["name", (deep: string) => `{"name":${deep},"type":"SCHEDULED","config":{}}`],
    ["config", (deep: string) => `{"name":"a","type":"SCHEDULED","config":{"a":${deep}}}`],
    ["unknown", (deep: string) => `{"name":"a","type":"SCHEDULED","config":{},"unknown":${deep}}`],
  ])("is rejected before validation if %s is deeply nested", async (_, bodyWith) => {
    for (const depth of [16, 1000, 10_000, 500_000]) {
      expect(await post(bodyWith("[".repeat(depth) + "]".repeat(depth)))).toEqual({
        status: 422,
        body: { error: "the body must be at most 16 levels deep" },
      });
    }
  });

  test.each([
    ["an array a MiB deep", "[".repeat(MIB - 1), "the body must be JSON: it could not be parsed"],
    ["an object half open", '{"a":'.repeat(100_000), "the body must be JSON: it could not be parsed"],
    [
      "a long array of invalid entries",
      JSON.stringify({ ...scheduled, alertChannelIds: Array(500_000).fill(1) }),
      "alertChannelIds.0 must be a string, got 1",
    ],
    [
      "an unpaired surrogate",
      '{"name":"\\ud800","type":"SCHEDULED","config":{}}',
      "the body must be Unicode text: it has an unpaired surrogate",
    ],
    [
      "an object with a field toString",
      '{"name":{"toString":false},"type":"SCHEDULED","config":{}}',
      "toString is not a known field",
    ],
    [
      "a field __proto__",
      '{"name":"a","type":"SCHEDULED","config":{},"__proto__":{}}',
      "__proto__ is not a known field",
    ],
    [
      "a field __proto__ in its config",
      '{"name":"a","type":"SCHEDULED","config":{"__proto__":{"grace":1}}}',
      "config.__proto__ is not a known field",
    ],
    [
      "the name of a method as type",
      '{"name":"a","type":"toString","config":{}}',
      "type must be one of HTTP, TCP, TLS, DNS, SCHEDULED",
    ],
    [
      "a number beyond the range of numbers",
      '{"name":"a","type":"SCHEDULED","config":{"interval":1e999}}',
      "config.interval must be a number, got Infinity",
    ],
    [
      "an integer beyond the safe range",
      '{"name":"a","type":"TCP","config":{"host":"a","port":9007199254740993,"interval":60}}',
      "config.port must be a whole number from 1 to 65535, got 9007199254740992",
    ],
  ])("is rejected with one sentence if it has %s", async (_, body, error) => {
    expect(await post(body)).toEqual({ status: 422, body: { error } });
  });

  test("that is not UTF-8 is rejected, not stored with other characters", async () => {
    const [head, tail] = JSON.stringify({ ...scheduled, name: "a|b" }).split("|");
    const body = Buffer.concat([Buffer.from(head ?? ""), Buffer.from([0xff]), Buffer.from(tail ?? "")]);
    expect(await post(body)).toEqual({ status: 422, body: { error: "the body must be UTF-8" } });
  });

  test("may use any notation of numbers, repeat a field and start with a byte order mark", async () => {
    const config = '{"host":"a","port":1e3,"interval":6.00e1}';
    expect(await post(`\ufeff{"name":"a","name":"b","type":"TCP","config":${config}}`)).toMatchObject({
      status: 201,
      body: { data: { name: "b", config: { port: 1000, interval: 60 } } },
    });
  });

  test("may have any character, which is returned unchanged", async () => {
    const name = "a\u0000b\u202e🦊\u{10ffff}";
    const { body } = await owner.post(MONITORS, { ...scheduled, name });
    expect((await owner.get(`${MONITORS}/${body.data.id}`)).body.data.name).toBe(name);
  });

  test("behavior 7.38: may repeat a channel tens of thousands of times", async () => {
    const { id } = await createChannel(owner);
    const { alertBindings } = (
      await owner.patch(`${MONITORS}/${(await createMonitor(owner, "SCHEDULED")).id}`, {
        alertChannelIds: Array(40_000).fill(id),
      })
    ).body.data;
    expect(alertBindings).toHaveLength(1);
  });

  test("of a request without one is ignored", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    const headers = ["Content-Type: multipart/form-data"];
    expect((await raw(`DELETE ${MONITORS}/${id} HTTP/1.1`, { body: "{", headers })).status).toBe(200);
    expect((await raw(`POST ${MONITORS}/pause-all HTTP/1.1`, { body: "{", headers })).status).toBe(200);
  });
});

describe("behavior 7.7: a body of more than a MiB", () => {
  const TOO_LARGE = { status: 413, body: { error: "the body must be at most 1048576 bytes" } };
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test("is a 413 from the first byte above the limit", async () => {
    const frame = '{"name":""}'.length;
    expect((await post(`{"name":"${"x".repeat(MIB - frame)}"}`)).status).toBe(422);
    expect(await post(`{"name":"${"x".repeat(MIB - frame + 1)}"}`)).toEqual(TOO_LARGE);
  });

  test("is a 413 also without Content-Length", async () => {
    const headers = ["Transfer-Encoding: chunked"];
    expect(await post(chunked("x".repeat(MIB + 1)), headers)).toEqual(TOO_LARGE);
    expect((await post(chunked(JSON.stringify(newMonitor("SCHEDULED"))), headers)).status).toBe(201);
  });

  test.each([MIB + 1, 200 * MIB, 999_999_999_999])(
    "is a 413 by its Content-Length of %d bytes, after the 401, on routes that read it",
    async (length) => {
      const announced = { headers: [`Content-Length: ${length}`], body: "{}" };
      expect(await raw(`POST ${MONITORS} HTTP/1.1`, announced)).toEqual(TOO_LARGE);
      expect(await raw(`POST ${MONITORS} HTTP/1.1`, { ...announced, authorization: null })).toEqual({
        status: 401,
        body: { error: "Unauthorized" },
      });
      const { id } = await createMonitor(owner, "SCHEDULED");
      expect(await raw(`POST ${MONITORS}/${id}/checkin HTTP/1.1`, announced)).toMatchObject({ status: 200 });
    },
  );
});

describe("behavior 7.20: expiresAt", () => {
  test.each([
    ["2030-01-31T00:00:00Z", "2030-01-31T00:00:00.000Z"],
    ["2030-01-31T00:00Z", "2030-01-31T00:00:00.000Z"],
    ["2030-01-31T00:00:00.123456789+00:30", "2030-01-30T23:30:00.123Z"],
    ["2030-01-31T02:00:00,5+0200", "2030-01-31T00:00:00.500Z"],
    ["2030-01-31T02:00+02", "2030-01-31T00:00:00.000Z"],
    ["2028-02-29t00:00:00z", "2028-02-29T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("may be %s", async (expiresAt, returned) => {
    const { status, body } = await owner.post("/api/v1/api-keys", { name: "k", expiresAt });
    expect({ status, returned: body.data?.expiresAt }).toEqual({ status: 201, returned });
  });

  test.each([
    "2030-02-30T00:00:00Z",
    "2029-02-29T00:00:00Z",
    "2030-01-01T25:00:00Z",
    "2030-01-01T00:00:00+99:99",
    "2030-01-01T00:00.5Z",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "2030-01-01T00:00:00",
    "2030-01-01 00:00:00Z",
    "1893456000",
    "٢٠٣٠-01-01T00:00:00Z",
  ])("may not be %s", async (expiresAt) => {
    expect((await owner.post("/api/v1/api-keys", { name: "k", expiresAt })).status).toBe(422);
  });
});
