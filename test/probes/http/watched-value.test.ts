import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { SeenContent } from "../../../src/domain/checks/content-memory.ts";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, chunked, startHttpServer } from "../../support/servers/http-answers.ts";

const check = async (bytes: Uint8Array | string, expected: Expectations) => {
  using server = await startHttpServer(() => bytes);
  return await observation("HTTP", { url: `http://127.0.0.1:${server.port}/`, expect: expected });
};

/** The value of a part of an answer, as a check sees it. */
async function seen(
  of: string,
  body: Uint8Array | string,
  headers: string[] = [],
): Promise<SeenContent | undefined> {
  const observed = await check(answer("200 OK", headers, body), { same: of });
  return observed.outcome === "reached" ? observed.contents?.[0] : undefined;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);

test("behavior 26.111: a check reports a digest and the length of the decoded body, and no text of it", async () => {
  const expected = { digest: hashOf("hello wörld"), length: 12 };
  expect(await seen("body", "hello wörld")).toEqual(expected);
  const zipped = gzipSync("hello wörld");
  expect(await seen("body", zipped, ["Content-Encoding: gzip", `Content-Length: ${zipped.length}`])).toEqual(
    expected,
  );
  expect(
    await seen("body", chunked("hello", " w\u00c3\u00b6rld"), ["Transfer-Encoding: chunked"]),
  ).toBeDefined();
  expect(JSON.stringify(await check(answer("200 OK", [], "hello"), { same: "body" }))).not.toContain("hello");
});

test("behavior 26.111: a larger body is watched up to its first MiB", async () => {
  const body = "a".repeat(2 ** 20);
  const [whole, longer, other] = [body, `${body}b`, `b${body}`];
  const all = await Promise.all([whole, longer, other].map((one) => seen("body", one)));
  expect(all[0]).toEqual({ digest: hashOf(whole), length: 2 ** 20 });
  expect(all[1]).toEqual(all[0] as SeenContent);
  expect(all[2]?.digest).not.toBe(all[0]?.digest);
});

test("behavior 26.112: text is that of HTML, and of other documents all of it with single spaces", async () => {
  const html = ["Content-Type: text/html; charset=utf-8"];
  const plain = ["Content-Type: text/plain"];
  const shop = { digest: hashOf("Shop ö"), length: 6 };
  expect(await seen("text", "<title>Shop</title>\n<!-- 1 --><p>ö</p>", html)).toEqual(shop);
  expect(await seen("text", "<title>Shop</title><p>&ouml;<script>2</script>")).toEqual(shop);
  expect(await seen("text", "<a>  1 </a>", plain)).toEqual({ digest: hashOf("<a> 1 </a>"), length: 10 });
  const latin1 = Buffer.from("<title>Shop</title><p>ö", "latin1");
  expect(await seen("text", latin1, ["Content-Type: text/html; charset=iso-8859-1"])).toEqual(shop);
  // Without the name of its character set, other bytes are another text.
  const other = Buffer.from("<title>Shop</title><p>ä", "latin1");
  expect(await seen("text", latin1)).not.toEqual(await seen("text", other));
  expect(await seen("text", "", html)).toEqual({ digest: hashOf(""), length: 0 });
});

test("behavior 26.111: a JSON value is equal in whatever order its fields are", async () => {
  const one = await seen("json:$.v", '{"v":{"a":1,"b":[1,2]},"at":1}');
  expect(one).toEqual({ digest: hashOf('{"a":1,"b":[1,2]}'), length: 17 });
  expect(await seen("json:$.v", '{ "at": 2, "v": { "b": [1, 2], "a": 1 } }')).toEqual(one as SeenContent);
  expect(await seen("json:$.v", '{"v":{"a":1,"b":[2,1]}}')).not.toEqual(one as SeenContent);
  expect(await seen("json:$.v", '{"v":null}')).toEqual({ digest: hashOf("null"), length: 4 });
});

test.each([
  ["12345678901234567890", "12345678901234567891"],
  ["-9007199254740993", "-9007199254740992"],
  ["1e400", "1e401"],
  ["1e400", "null"],
])("behavior 26.111: %s is another JSON value than %s", async (one, other) => {
  for (const part of ["", '"b":0.1,'])
    expect(await seen("json:$.v", `{"v":{${part}"a":${one}}}`)).not.toEqual(
      (await seen("json:$.v", `{"v":{${part}"a":${other}}}`)) as SeenContent,
    );
});

test.each([
  ["1", "1.0"],
  ["1e2", "100"],
  ["1e21", "1E+21"],
  ["1.00000000000000000", "1"],
])("behavior 26.111: %s is the same JSON value as %s", async (one, other) => {
  expect(await seen("json:$.v", `{"v":${one}}`)).toEqual(
    (await seen("json:$.v", `{"v":${other}}`)) as SeenContent,
  );
});

test("behavior 26.111: headers of one name are one list", async () => {
  const expected = { digest: hashOf("a, b"), length: 4 };
  expect(await seen("header:x-version", "", ["X-Version: a", "x-version: b"])).toEqual(expected);
});

test.each([
  ["header:X-Version", "", "missing"],
  ["json:$.a", "{}", "missing"],
  ["json:$.a", "<html>", "not_json"],
  ["json:$.a", JSON.stringify({ a: "a".repeat(2 ** 20) }), "too_large"],
  ["json:$.a", `{"a":[${"[],".repeat(60_000)}[]]}`, "too_many"],
  ["json:$.a", `{"a":${"[".repeat(49_000)}${"]".repeat(49_000)}}`, "too_many"],
])("behavior 26.117: %s of an answer that lacks it has no value (%#)", async (of, body, digest) => {
  expect(await seen(of, body)).toEqual({ digest, length: null });
});

test("behavior 26.118: only an answer that meets its expectations has a content", async () => {
  const page = (code: string) => answer(code, [], "<p>hello</p>");
  expect(await check(page("200 OK"), { same: "text", contains: "hello" })).toHaveProperty("contents");
  for (const [code, more] of [
    ["503 No", {}],
    ["404 No", {}],
    ["200 OK", { contains: "bye" }],
  ] as const) {
    const observed = await check(page(code), { same: "text", ...more });
    expect(observed).toMatchObject({ outcome: "failed", reason: "unexpected" });
    expect(observed).not.toHaveProperty("contents");
  }
  expect(await check(page("404 No"), { same: "text", status: [404] })).toHaveProperty("contents");
});

test.each([
  ["ends before its length", ["Content-Length: 100"], "hello"],
  ["ends within a chunk", ["Transfer-Encoding: chunked"], "64\r\nhello"],
  ["ends within its coding", ["Content-Encoding: gzip"], gzipSync("hello").subarray(0, 20)],
])("behavior 26.118: a body that %s is no change", async (_, headers, body) => {
  const observed = await check(answer("200 OK", headers, body), { same: "body" });
  expect(observed).toMatchObject({ outcome: "failed", reason: "bad_body" });
});

test("behavior 26.118: the speed of an answer is judged beside its content", async () => {
  const observed = await check(answer("200 OK", [], "hello"), { same: "body", within: 60_000 });
  expect(observed).toMatchObject({ outcome: "reached", contents: [{ length: 5 }] });
  expect(await check(answer("200 OK", [], "hello"), { same: "body", complete: true })).toHaveProperty(
    "contents",
  );
  const headersOnly = await check(answer("200 OK", ["Content-Length: 100"], "hello"), { same: "header:x" });
  expect(headersOnly).toMatchObject({ contents: [{ digest: "missing" }] });
});

test("behavior 26.111: each step that watches a part of its answer has its content, in the order of the steps", async () => {
  using server = await startHttpServer((path) => answer("200 OK", [`ETag: ${path}`], path.repeat(2)));
  const step = (path: string, expected?: Expectations) => ({
    url: `http://127.0.0.1:${server.port}${path}`,
    ...(expected && { expect: expected }),
  });
  const steps = [step("/a", { same: "body" }), step("/b"), step("/c", { same: "header:ETag" }), step("/d")];
  const expected = [
    { digest: hashOf("/a/a"), length: 4 },
    { digest: hashOf("/c"), length: 2 },
  ];
  expect(await observation("HTTP", { steps })).toMatchObject({ outcome: "reached", contents: expected });
  expect(await observation("HTTP", { steps: [step("/a"), step("/b")] })).not.toHaveProperty("contents");
  const failing = [step("/a", { same: "body" }), step("/b", { status: [404] })];
  expect(await observation("HTTP", { steps: failing })).not.toHaveProperty("contents");
});
