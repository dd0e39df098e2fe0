import { describe, expect, test } from "bun:test";
import type { Answer } from "dns-packet";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient } from "../../../src/probes/dns/dns-client.ts";
import { encodeQuestion } from "../../../src/probes/dns/dns-packet.ts";
import { eventually } from "../../support/eventually.ts";
import { type Reply, startDnsServer } from "../../support/servers/dns-server.ts";

const name = "large.test";
const question = { name, type: "A" as const };
const large = Array.from({ length: 60 }, (_, at): Answer => ({ type: "A", name, data: `127.0.0.${at}` }));

/** A server that closes its port for TCP, as a firewall does: without EDNS, it could not send the large answer. */
const withEdns = (times: number, { hasEdns }: { hasEdns: boolean }): Reply =>
  hasEdns ? large : times > 0 ? { truncated: [] } : [];

test("behavior 4.17: an answer of more than 512 bytes needs no TCP", async () => {
  using dns = await startDnsServer({ [name]: withEdns });
  const client = createDnsClient([dns], new OpenSockets());
  expect((await client.ask(question, 2000)).values).toHaveLength(60);
  expect(dns.queries).toEqual([`A ${name}`]);
});

test("behavior 4.17: a query allows answers of 1,232 bytes over UDP", () => {
  const packet = encodeQuestion(1, { question, hasEdns: true });
  expect(packet.subarray(-11)).toEqual(Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]));
});

describe.each([{ isTarget: false }, { isTarget: true }])("behavior 4.17: with %j", (options) => {
  const few: Answer[] = [{ type: "A", name, data: "127.0.0.1" }];

  test("a server that refuses EDNS is asked again without it", async () => {
    using dns = await startDnsServer({
      [name]: (_, { hasEdns }) => (hasEdns ? { code: "FORMERR" } : few),
    });
    const client = createDnsClient([dns], new OpenSockets(), options);
    expect(await client.ask(question, 2000)).toMatchObject({ values: ["127.0.0.1"] });
    expect(dns.queries).toEqual([`A ${name}`, `A ${name}`]);
  });

  test("a server that drops queries with EDNS is asked again without it", async () => {
    using dns = await startDnsServer({ [name]: (_, { hasEdns }) => (hasEdns ? "silence" : few) });
    const client = createDnsClient([dns], new OpenSockets(), options);
    expect(await client.ask(question, 500)).toMatchObject({ values: ["127.0.0.1"] });
    expect(await client.ask(question, 500)).toMatchObject({ values: ["127.0.0.1"] });
    // The second query did not wait in vain.
    expect(dns.queries.filter((query) => query !== "NS .")).toHaveLength(3);
  });
});

test("behavior 4.17: one lost packet does not end the use of EDNS", async () => {
  using dns = await startDnsServer({
    [name]: (times, query) => (times === 2 ? "silence" : withEdns(times, query)),
  });
  const client = createDnsClient([dns], new OpenSockets());
  await client.ask(question, 500);
  await client.ask(question, 500);
  dns.queries.length = 0;
  expect((await client.ask(question, 500)).values).toHaveLength(60);
  expect(dns.queries).toEqual([`A ${name}`]);
});

test("behavior 4.17: EDNS is used again with a server whose first packet was lost", async () => {
  const sent: boolean[] = [];
  const lostOnce = (_: number, { hasEdns }: { hasEdns: boolean }): Reply =>
    sent.push(hasEdns) === 1 ? "silence" : [];
  using dns = await startDnsServer({ [name]: lostOnce });
  const client = createDnsClient([dns], new OpenSockets());
  for (let at = 0; at < 3; at++) await client.ask(question, 500);
  expect(sent).toEqual([true, false, false, false]);
  for (let at = 0; at < 98; at++) await client.ask(question, 500);
  await eventually(async () => {
    await client.ask(question, 500);
    return sent.at(-1) === true;
  });
});

test("behavior 4.17: a first server that drops queries with EDNS is used again", async () => {
  const few: Answer[] = [{ type: "A", name, data: "127.0.0.1" }];
  const one = (_: number, { hasEdns }: { hasEdns: boolean }) => (hasEdns ? "silence" : few);
  using first = await startDnsServer({ [name]: one, ".": one });
  using second = await startDnsServer({ [name]: few });
  const client = createDnsClient([first, second], new OpenSockets());
  const isSecondAsked = async () => {
    const before = second.queries.length;
    await client.ask(question, 500);
    return second.queries.length > before;
  };
  expect(await isSecondAsked()).toBe(true);
  await eventually(async () => !(await isSecondAsked()));
});
