import { describe, expect, test } from "bun:test";
import { factsOf, networkOf } from "../../../src/domain/causes/facts.ts";

const domainOf = (host: string) => host.split(".").slice(-2).join(".");
const good = [{ location: "here", address: "203.0.113.7", certificate: "AA" }];

describe("behavior 22.20: the facts of a monitor", () => {
  test("are its address, network, certificate, host, domain, locations and tags, each once", () => {
    const config = { url: "https://Shop.example.com/", interval: 60 };
    const places = [...good, { location: "Paris", address: "203.0.113.7", certificate: null }];
    const facts = factsOf({ type: "HTTP", config, tags: ["shop"], good: places }, domainOf);
    expect(facts.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
      "address 203.0.113.7",
      "certificate AA",
      "host shop.example.com",
      "network 203.0.113.0/24",
      "domain example.com",
      "location Paris",
      "location here",
      "tag shop",
    ]);
  });

  test("of a DNS monitor are no address and no certificate, of a host that is an address no domain, of a job none", () => {
    const kinds = (all: { kind: string }[]) => all.map(({ kind }) => kind);
    const dns = { type: "DNS", config: { hostname: "example.com.", interval: 60 }, tags: [], good } as const;
    expect(kinds(factsOf(dns, domainOf))).toEqual(["host", "domain", "location"]);
    const ip = {
      type: "TCP",
      config: { host: "203.0.113.7", port: 22, interval: 60 },
      tags: [],
      good: [],
    } as const;
    expect(kinds(factsOf(ip, domainOf))).toEqual(["host"]);
    expect(factsOf({ type: "SCHEDULED", config: { interval: 60 }, tags: ["a"], good: [] }, domainOf)).toEqual(
      [],
    );
  });

  test.each([
    ["203.0.113.7", "203.0.113.0/24"],
    ["2001:db8:7:1::9", "2001:db8:7::/48"],
    ["2001:db8::1", "2001:db8::/48"],
    ["::ffff:203.0.113.7", "203.0.113.0/24"],
    ["fe80::1%eth0", "fe80::/48"],
  ])("the network of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
