/**
 * A bare `Bun.serve` that answers every request with the same bytes and headers, and 304 if the client has them. Its first
 * line of output is its URL.
 *
 * bytes-server.ts FILE, of JSON with `headers` and `body` in base64
 */
const { headers, body } = await Bun.file(process.argv[2] ?? "").json();
const bytes = Buffer.from(body, "base64");

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) =>
    request.headers.get("if-none-match") === headers.etag
      ? new Response(null, { status: 304, headers })
      : new Response(bytes, { headers }),
});
process.on("SIGTERM", () => process.exit(0));
console.log(`http://127.0.0.1:${server.port}`);
