import { expect, test } from "bun:test";
import { readPage } from "../support/documentation/page.ts";
import { Binary } from "../support/product/binary.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { startTalking } from "../support/servers/talking-server.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { closedPort, startServer } from "../support/servers/tcp-server.ts";

const PAGE = "docs/monitors.md";
const { blocks } = await readPage(PAGE);
const configs = blocks
  .filter(({ mark }) => mark === "tested by test/e2e/docs-monitors.e2e.ts")
  .map(({ text }) => text);

/** The documented config for a target. @param here texts of the page, and their values in the test */
function documented(target: string, here: Record<string, string>): Record<string, unknown> {
  const text = configs.find((one) => one.includes(target)) ?? "";
  const replaced = Object.entries(here).reduce((all, [name, value]) => all.replace(name, value), text);
  return JSON.parse(replaced);
}

test("each documented config of a monitor gives the documented status", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const statusOf = async (type: string, config: object) => {
    const { body } = await client.post("/api/v1/probe", { type, config });
    return [body.data?.status ?? body.error, body.data?.failedExpectation];
  };

  let health: object = { database: "ok", queue: { depth: 3 } };
  await using shop = new HttpTarget(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return Response.json(health);
    if (pathname === "/api/search") return search(request);
    if (pathname === "/login") return new Response("<form>Sign in</form>");
    return new Response("", { status: 301, headers: { Location: "https://shop.example.com/" } });
  });
  const origin = shop.url.slice(0, -1);
  const of = (path: string) => documented(path, { "https://shop.example.com/": shop.url });
  expect(await statusOf("HTTP", of("com/health"))).toEqual(["up", null]);
  health = { database: "ok", queue: { depth: 140 } };
  expect(await statusOf("HTTP", of("com/health"))).toEqual([
    "down",
    "$.queue.depth is 140, expected at most 100",
  ]);
  expect(await statusOf("HTTP", of("/api/search"))).toEqual(["up", null]);
  expect(await statusOf("HTTP", of("/login"))).toEqual(["up", null]);
  expect(await statusOf("HTTP", of("everyAddress"))).toEqual(["up", null]);
  const redirect = documented('"http://shop.example.com/"', { "http://shop.example.com": origin });
  expect(await statusOf("HTTP", redirect)).toEqual(["up", null]);

  const local = (port: number, usual: number) => ({
    "game.example.com": "127.0.0.1",
    "redis.example.com": "127.0.0.1",
    "mail.example.com": "127.0.0.1",
    "mx.example.com": "127.0.0.1",
    [`: ${usual}`]: `: ${port}`,
  });
  using game = await startServer((socket) => socket.on("data", () => socket.write("game-server 3.1\r\n")));
  expect(await statusOf("TCP", documented("game", local(game.port, 4000)))).toEqual(["up", null]);
  expect(game.received()).toBe("VERSION\r\n");
  using redis = await startServer((socket) => socket.on("data", () => socket.write("+PONG\r\n")));
  expect(await statusOf("TCP", documented("redis", local(redis.port, 6379)))).toEqual(["up", null]);
  const authority = await createAuthority();
  const tls = await authority.issue([{ type: "dns", value: "mx.example.com" }]);
  using mail = await startTalking({
    greeting: "220 mail.example.com ESMTP\r\n",
    answers: { EHLO: "250-mail.example.com\r\n250 STARTTLS\r\n", STARTTLS: "220 begin\r\n" },
    tls,
  });
  const submission = documented("starttls", local(mail.port, 587));
  expect(await statusOf("TCP", { ...submission, verifyTls: false })).toEqual(["up", null]);
  expect(await statusOf("TCP", submission)).toEqual(["down", null]);
  expect(await statusOf("TLS", documented("mx.example.com", local(mail.port, 25)))).toEqual(["active", null]);

  const certificate = documented("servername", { "203.0.113.7": "127.0.0.1" });
  expect(await statusOf("TLS", { ...certificate, port: await closedPort() })).toEqual(["no_cert", null]);
  using dns = await startDnsServer({
    "A shop.example.com": [{ type: "A", name: "shop.example.com", ttl: 60, data: "203.0.113.7" }],
    "TXT example.com": ["google-site-verification=1", "v=spf1 include:_spf.example.com -all"].map((text) => ({
      type: "TXT" as const,
      name: "example.com",
      ttl: 60,
      data: [text],
    })),
  });
  const lookup = documented("hostname", {
    "192.0.2.53": `127.0.0.1:${dns.port}`,
    "198.51.100.53:5353": `127.0.0.1:${dns.port}`,
  });
  expect(await statusOf("DNS", lookup)).toEqual(["present", null]);
  const servers = [`127.0.0.1:${dns.port}`];
  expect(await statusOf("DNS", { ...documented("expectedContains", {}), servers })).toEqual([
    "present",
    null,
  ]);
  expect(await statusOf("DNS", { ...documented("old.example.com", {}), servers })).toEqual(["present", null]);
  expect(configs).toHaveLength(13);
}, 300_000);

async function search(request: Request): Promise<Response> {
  const isRight =
    request.method === "POST" &&
    request.headers.get("authorization") === "Bearer s3cret" &&
    (await request.text()) === '{"query":"tea"}';
  return isRight ? Response.json({ items: ["green tea"] }) : new Response("", { status: 400 });
}
