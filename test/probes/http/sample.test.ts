import { expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, endless, startHttpServer } from "../../support/servers/http-answers.ts";

const sampleOf = async (
  served: Parameters<typeof startHttpServer>[0],
  config: Omit<HttpConfig, "url" | "interval"> = {},
) => {
  using server = await startHttpServer(served);
  const url = `http://127.0.0.1:${server.port}/`;
  const seen = await observation("HTTP", { url, ...config }, { isSampled: true });
  return { seen, sample: "sample" in seen ? seen.sample : undefined };
};

test("behavior 10.30: a sample has the status, the headers, the time and the start of the body", async () => {
  const { seen, sample } = await sampleOf(() =>
    answer("404 Not Found", ["X-A: ü", "Content-Length: 3"], "ab\u00e9".slice(0, 2).concat("c")),
  );
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 404 } });
  expect(sample).toEqual({
    statusCode: 404,
    headers: [
      { name: "X-A", value: "ü" },
      { name: "Content-Length", value: "3" },
    ],
    durationMs: expect.any(Number),
    body: "abc",
    isBodyCut: false,
    isPrivate: true,
  });
});

test("behavior 10.30: a failed check has the sample too, also of a coded body", async () => {
  const { seen, sample } = await sampleOf(
    () => answer("200 OK", ["Content-Encoding: br"], brotliCompressSync("the text")),
    { expect: { contains: "other" } },
  );
  expect(seen).toMatchObject({ outcome: "failed", reason: "unexpected" });
  expect(sample).toMatchObject({ body: "the text" });
});

test("behavior 10.30: a body that cannot be read is null in the sample", async () => {
  const { seen, sample } = await sampleOf(() => answer("200 OK", ["Content-Encoding: zstd"], "xyz"), {
    expect: { contains: "x" },
  });
  expect(seen).toMatchObject({ reason: "bad_body", detail: { statusCode: 200 } });
  expect(sample).toMatchObject({ statusCode: 200, body: null });
});

test("behavior 10.30: of a body without end, the sample has 2 KiB, and the result is that of a regular check", async () => {
  const { seen, sample } = await sampleOf(() => endless(answer("200 OK"), "0123456789abcdef".repeat(1000)));
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(sample).toMatchObject({ body: "0123456789abcdef".repeat(128), isBodyCut: true });
});

test("behavior 10.30: the sample of a body that drips does not wait for its end", async () => {
  const { seen, sample } = await sampleOf(() => (socket) => {
    socket.write(answer("200 OK", ["Content-Length: 100"], "start"));
  });
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(sample).toMatchObject({ body: "start", isBodyCut: true });
});

test.each<[string, number, Parameters<typeof startHttpServer>[0]]>([
  ["its headers break off", 2000, () => "HTTP/1.1 200 OK\r\nX-A: b"],
  ["its headers are malformed", 2000, () => "HTTP/1.1 200 OK\r\nX-A: b\rc\r\n\r\n"],
  ["its headers never end", 2000, () => (socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A: b")],
  ["its body never ends", 600, () => (socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nstart")],
])(
  "behavior 10.30: with a sample of an answer, the result is that of a regular check if %s",
  async (_, timeout, served) => {
    using server = await startHttpServer(served);
    const config = { url: `http://127.0.0.1:${server.port}/` };
    const seen = await observation("HTTP", config, { isSampled: true, timeout });
    expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  },
);

test("behavior 10.27, 10.30: a server that repeats the request does not show its secrets", async () => {
  const config = {
    headers: { "X-Key": 'secret "value"', "X-Short": "1", Accept: "text/plain" },
    basicAuth: { user: "someone", password: "secret-password" },
  };
  const { sample } = await sampleOf((_, request) => {
    const key = /X-Key: (.*)/.exec(request)?.[1] ?? "";
    return answer(
      "200 OK",
      [`X-Echo: ${key}`, "Content-Type: text/plain"],
      `${JSON.stringify({ key })} 1 ${request} secret-password`,
    );
  }, config);
  const shown = JSON.stringify(sample);
  const encoded = Buffer.from("someone:secret-password").toString("base64");
  for (const secret of ["secret \\", 'secret "', "secret-password", encoded])
    expect(shown).not.toContain(secret);
  expect(sample?.body).toContain('{"key":"•••"} 1 GET / HTTP/1.1');
  expect(sample?.headers).toContainEqual({ name: "X-Echo", value: "•••" });
  expect(sample?.headers).toContainEqual({ name: "Content-Type", value: "text/plain" });
});

test("behavior 10.30: a check that is not sampled has none", async () => {
  using server = await startHttpServer(() => answer("200 OK", [], "body"));
  const seen = await observation("HTTP", {
    url: `http://127.0.0.1:${server.port}/`,
    expect: { contains: "body" },
  });
  expect(seen).not.toHaveProperty("sample");
});

test("behavior 26.132: a sample has the body in its character set, also if the answer repeats a secret", async () => {
  const inRussian = (text: string) =>
    answer("200 OK", ["Content-Type: text/html; charset=koi8-r"], Buffer.from(text, "latin1"));
  const { sample } = await sampleOf(() => inRussian("\xef\xdb\xc9\xc2\xcb\xc1"));
  expect(sample).toMatchObject({ body: "Ошибка", isBodyCut: false });
  const headers = { "X-Secret": "secret-12345" };
  const utf16 = Buffer.from("a secret-12345 ü", "utf16le").toString("latin1");
  const wide = () =>
    answer("200 OK", ["Content-Type: text/html; charset=utf-16"], Buffer.from(utf16, "latin1"));
  expect((await sampleOf(wide, { headers })).sample).toMatchObject({ body: "a ••• ü" });
});

test("behavior 10.27, 26.132: a secret under the name of a wrong character set is hidden", async () => {
  const basicAuth = { user: "me", password: "pässwörd-12345" };
  for (const charset of ["iso-8859-1", "utf-16", "gbk"]) {
    const { sample } = await sampleOf(
      () => answer("200 OK", [`Content-Type: text/html; charset=${charset}`], "ü pässwörd-12345 ü"),
      { basicAuth },
    );
    expect(sample).toMatchObject({ body: "ü ••• ü" });
  }
});
