import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { newMonitor } from "../support/requests/monitors.ts";

let server: TestServer;
let monitorId: string;

beforeAll(async () => {
  server = await TestServer.start();
  for (let at = 0; at < 5; at++) {
    await server.client.post("/api/v1/api-keys", { name: `a key with a long name ${at}`, role: "viewer" });
    monitorId = (await server.client.post("/api/v1/monitors", newMonitor("SCHEDULED"))).body.data.id;
  }
});
afterAll(() => server[Symbol.asyncDispose]());

async function answerOf(path: string, accepted: string) {
  const { url, key } = server.client;
  const headers = { authorization: `Bearer ${key}`, "accept-encoding": accepted };
  const response = await fetch(url + path, { headers, decompress: false } as RequestInit);
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

describe("behavior 7.75: JSON", () => {
  test.each(["/api/v1/api-keys", "/api/v1/monitors", "/api/v1/audit?limit=20", "/api/v1/overview"])(
    "of %s is compressed for a client that accepts gzip, and the same otherwise",
    async (path) => {
      // The first of these requests may be the first use of the key.
      await answerOf(path, "identity");
      const packed = await answerOf(path, "br, gzip");
      const plain = await answerOf(path, "gzip;q=0");
      expect(packed.status).toBe(200);
      expect(packed.headers.get("content-encoding")).toBe("gzip");
      expect(packed.headers.get("vary")).toBe("accept-encoding");
      for (const name of ["content-type", "cache-control", "content-security-policy"])
        expect([name, packed.headers.get(name)]).toEqual([name, plain.headers.get(name)]);
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      const text = (bytes: Uint8Array<ArrayBuffer>) => JSON.parse(new TextDecoder().decode(bytes));
      expect(Object.keys(text(Bun.gunzipSync(packed.bytes)))).toEqual(Object.keys(text(plain.bytes)));
    },
  );

  test("of little text, of check-ins and of errors is not", async () => {
    for (const path of ["/api/v1/status", `/api/v1/monitors/${monitorId}/checkin`, "/api/v1/monitors/none"])
      expect((await answerOf(path, "gzip")).headers.get("content-encoding")).toBeNull();
  });
});
