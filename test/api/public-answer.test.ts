import { heapStats as jscHeap } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type PublicBody, publicAnswer, publicBody } from "../../src/api/pages/page-cache.ts";

const TEXT = "All Systems Operational. ".repeat(200);

/** The response of a route after `publicAnswer`. */
async function answer(body: PublicBody, headers: Record<string, string> = {}) {
  const set: { status?: number | string; headers: Record<string, string | number> } = {
    headers: { "cache-control": "no-store", "strict-transport-security": "max-age=1" },
  };
  const request = new Request("http://127.0.0.1/status/example", { headers });
  const bytes = await publicAnswer({ request, set }, body);
  return { bytes, status: set.status, headers: set.headers as Record<string, string> };
}

const example = () => publicBody({ type: "text/plain; charset=utf-8", text: TEXT });

describe("a public answer", () => {
  test("behavior 15.50: may be kept for 30 seconds and read by pages of other hosts, and HSTS stays", async () => {
    expect((await answer(example())).headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=30",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding, host",
      "strict-transport-security": "max-age=1",
    });
  });

  test.each([
    ["br", "br, gzip"],
    ["br", "gzip, deflate, br, zstd"],
    ["gzip", "gzip, br;q=0"],
    [undefined, "identity"],
    [undefined, undefined],
  ])("behavior 15.50: is in the encoding %s for the header %s", async (encoding, accepted) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const sent = await answer(example(), headers);
    expect(sent.headers["content-encoding"]).toBe(encoding as string);
    expect(decode(sent.bytes ?? new Uint8Array(), encoding)).toBe(TEXT);
  });

  test("behavior 15.50: has an ETag for each encoding, which is equal for equal texts", async () => {
    const etagOf = async (body: PublicBody, accepted: string) =>
      (await answer(body, { "accept-encoding": accepted })).headers.etag;
    const all = await Promise.all(["br", "gzip", "identity"].map((one) => etagOf(example(), one)));
    expect(new Set(all).size).toBe(3);
    for (const etag of all) expect(etag).toMatch(/^"[\w-]+"$/);
    expect(await etagOf(example(), "br")).toBe(all[0]);
    expect(await etagOf(publicBody({ type: "text/plain", text: `${TEXT}!` }), "br")).not.toBe(all[0]);
  });

  test("behavior 15.50: is a 304 without a body for a client that has it", async () => {
    const body = example();
    const { etag = "" } = (await answer(body)).headers;
    for (const known of [
      etag,
      `W/${etag}`,
      `"a", ${etag}`,
      `"a",W/${etag}`,
      `${'"a",'.repeat(2000)}${etag}`,
      "*",
    ]) {
      const sent = await answer(body, { "if-none-match": known });
      expect(sent).toMatchObject({ status: 304, bytes: undefined });
      expect(sent.headers.etag).toBe(etag);
      expect(sent.headers["cache-control"]).toBe("public, max-age=30");
    }
    for (const other of [
      '"a"',
      "",
      etag.replaceAll('"', ""),
      etag.slice(0, -1),
      etag.replace('"', '"a'),
      '"*"',
    ])
      expect((await answer(body, { "if-none-match": other })).status).toBe(200);
    expect((await answer(body, { "if-none-match": etag, "accept-encoding": "br" })).status).toBe(200);
  });

  test("behavior 15.50: is compressed once", async () => {
    const body = example();
    const [first, second] = await Promise.all([body.encoded("br"), body.encoded("br")]);
    expect(first.bytes).toBe(second.bytes);
    expect((await body.encoded("br")).bytes).toBe(first.bytes);
  });

  test("behavior 15.35: of a large text keeps what is compressed, and still answers in each encoding", async () => {
    const text = "All Systems Operational. ".repeat(20_000);
    const before = heapStats();
    const bodies = Array.from({ length: 16 }, (_, at) => publicBody({ type: "text/plain", text: text + at }));
    for (const [at, body] of bodies.entries())
      for (const encoding of ["identity", "br", "gzip", "identity"] as const) {
        const { bytes, etag } = await body.encoded(encoding);
        expect(decode(bytes, encoding === "identity" ? undefined : encoding)).toBe(text + at);
        expect(etag).toBe((await body.encoded(encoding)).etag);
      }
    // They have 8 MB in all.
    expect(heapStats() - before).toBeLessThan(4_000_000);
    expect(bodies).toHaveLength(16);
  });

  test("behavior 15.50: of an error has no ETag, is kept by nobody and is never a 304", async () => {
    const error = publicBody({ type: "text/plain", text: "Not found", status: 404 });
    const sent = await answer(error, { "if-none-match": "*" });
    expect(sent.status).toBe(404);
    expect(sent.headers["cache-control"]).toBe("no-store");
    expect(sent.headers.etag).toBeUndefined();
  });

  test("behavior 15.50: has the policy that it is given, else one that shows nothing", async () => {
    const policyOf = async (body: PublicBody) => (await answer(body)).headers["content-security-policy"];
    expect(await policyOf(example())).toBe("default-src 'none'; frame-ancestors 'none'");
    const headers = { "content-security-policy": "default-src 'self'" };
    expect(await policyOf(publicBody({ type: "text/html", text: "", headers }))).toBe("default-src 'self'");
  });
});

/** Bytes of the heap, and of the arrays outside of it, after a garbage collection. */
function heapStats(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = jscHeap();
  return heapSize + extraMemorySize;
}

function decode(bytes: Uint8Array, encoding: string | undefined): string {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  const plain = encoding ? decoders[encoding as "br" | "gzip"](bytes) : bytes;
  return new TextDecoder().decode(plain);
}
