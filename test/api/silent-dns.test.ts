import { expect, setDefaultTimeout, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../support/eventually.ts";
import { Client } from "../support/requests/client.ts";
import { type Reply, startDnsServer } from "../support/servers/dns-server.ts";
import { engineOfTests } from "../support/store/engines.ts";
import type { TestStore } from "../support/store/test-store.ts";

setDefaultTimeout(300_000);

/** Checks that end within a second. */
const TARGETS = [
  { type: "TCP", config: { host: "shop.test", port: 1, interval: 3600, timeout: 1 } },
  { type: "HTTP", config: { url: "http://shop.test:1/", interval: 3600, timeout: 1 } },
  { type: "TLS", config: { host: "shop.test", port: 1, interval: 1 } },
  { type: "DNS", config: { hostname: "shop.test", interval: 1 } },
];

async function serve(opened: TestStore, dns: { address: string; port: number }, key?: string) {
  const config = {
    ...readConfig({ port: "0", logLevel: "error" }, { env: {}, isTerminal: false }),
    ...opened.settings,
    probes: { privateTargets: "allow" as const, dnsServers: [{ address: dns.address, port: dns.port }] },
  };
  const app = await createApp(config, createLogger({ level: "silent" }));
  const { url, initialKey } = await app.start();
  return {
    client: new Client(url, key ?? initialKey),
    [Symbol.asyncDispose]: () => app.stop(),
  };
}

/** The status and the reason that one check of each type gives, or the code of the answer if it could not be made. */
async function probeAll(client: Client) {
  const answers = await Promise.all(TARGETS.map((target) => client.post("/api/v1/probe", target)));
  return answers.map(({ status, body }) =>
    status === 200 ? `${body.data.status} ${body.data.detail.reason}` : status,
  );
}

const UNREACHABLE = ["down", "down", "no_cert", "missing"].map((status) => `${status} dns_unreachable`);

test("behavior 4.18: silent DNS servers are a failure until one of them has ever answered, also after a restart", async () => {
  let isSilent = true;
  const reply = (): Reply => (isSilent ? "silence" : []);
  using dns = await startDnsServer({ "shop.test": reply, ".": reply });
  await using opened = await engineOfTests().open();
  let key: string | undefined;
  {
    await using server = await serve(opened, dns);
    key = server.client.key;
    await eventually(async () => Bun.deepEquals(await probeAll(server.client), UNREACHABLE));
  }
  {
    await using server = await serve(opened, dns, key);
    const { body } = await server.client.post("/api/v1/monitors", { name: "shop", ...TARGETS[0] });
    const path = `/api/v1/monitors/${body.data.id}`;
    await eventually(async () => (await server.client.get(path)).body.data.status === "down");
    expect((await server.client.get(`${path}/results`)).body.data[0].detail).toMatchObject({
      reason: "dns_unreachable",
      message: `none of the DNS servers can be reached: 127.0.0.1 port ${dns.port}`,
    });
    isSilent = false;
    expect((await probeAll(server.client))[0]).toBe("down dns_not_found");
    isSilent = true;
    expect(await probeAll(server.client)).toEqual([409, 409, 409, 409]);
  }
  await using server = await serve(opened, dns, key);
  expect(await probeAll(server.client)).toEqual([409, 409, 409, 409]);
});
