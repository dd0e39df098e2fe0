import { expect, test } from "bun:test";
import { OpenSockets } from "../../../src/probes/connections/open-sockets.ts";
import { createDnsClient } from "../../../src/probes/dns/dns-client.ts";
import { eventually } from "../../support/eventually.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";

const question = (name: string) => ({ name, type: "A" as const });

test("behavior 4.5: a DNS server that responds again only after the retry is an own fault", async () => {
  const [name, other] = ["asked-too-early.test", "asked-later.test"];
  using dns = await startDnsServer({
    [name]: "silence",
    ".": "silence",
    [other]: [{ type: "A", name: other, data: "192.0.2.1" }],
  });
  const client = createDnsClient([dns], new OpenSockets());
  const asked = client.ask(question(name), 3000).catch(String);
  await eventually(() => dns.queries.filter((query) => query === `A ${name}`).length === 2);
  expect(await client.ask(question(other), 1000)).toMatchObject({ values: ["192.0.2.1"] });
  expect(await asked).toContain("none of the DNS servers can be reached");
});
