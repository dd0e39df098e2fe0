import { expect, test } from "bun:test";
import { decode, encode } from "dns-packet";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient } from "../../../src/probes/dns/dns-client.ts";
import { type DnsTransport, type Received, systemTransport } from "../../../src/probes/dns/dns-exchange.ts";
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

test("behavior 4.3: an answer to the first query counts while the retry waits", async () => {
  const sent: { message: Buffer; received: Received }[] = [];
  const timers: { ms: number; expire: () => void }[] = [];
  const transport: DnsTransport = {
    ...systemTransport,
    udp(_, message, received) {
      sent.push({ message, received });
      return { close() {} };
    },
    after(ms, expire) {
      timers.push({ ms, expire });
      return { close() {} };
    },
  };
  const server = { address: "192.0.2.53", port: 53 };
  const asked = createDnsClient([server], new OpenSockets(), { transport }).ask(question("slow.test"), 3000);
  await eventually(() => timers.length === 2);
  timers.toSorted((a, b) => a.ms - b.ms)[0]?.expire();
  await eventually(() => namesIn(sent).filter((name) => name === "slow.test").length === 2);
  const [first] = sent;
  if (first) first.received.data(answerTo(first.message, "192.0.2.1"));
  expect(await asked).toMatchObject({ values: ["192.0.2.1"] });
});

function namesIn(sent: { message: Buffer }[]) {
  return sent.map(({ message }) => decode(message).questions?.[0]?.name);
}

function answerTo(message: Buffer, data: string): Buffer {
  const { id = 0, questions = [] } = decode(message);
  const answers = questions.map(({ name }) => ({ type: "A" as const, name, data }));
  return encode({ type: "response", id, questions, answers });
}
