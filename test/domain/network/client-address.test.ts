import { describe, expect, test } from "bun:test";
import {
  clientAddress,
  clientNetwork,
  isInRanges,
  parseAddressRanges,
} from "../../../src/domain/network/client-address.ts";

describe("a list of addresses and ranges", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["10.0.0.0/8, fd00::/8", "10.255.0.1", true],
    ["10.0.0.0/8, fd00::/8", "fd12::1", true],
    ["10.0.0.0/8, fd00::/8", "11.0.0.1", false],
    ["0.0.0.0/0", "203.0.113.9", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["::ffff:10.0.0.0/104", "10.0.0.1", true],
    ["10.0.0.9/8", "10.255.0.1", true],
    ["10.0.0.0/12", "10.15.255.255", true],
    ["10.0.0.0/12", "10.16.0.0", false],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
    ["2001:db8::/33", "2001:db8:7fff::1", true],
    ["2001:db8::/33", "2001:db8:8000::1", false],
    ["10.0.0.0/8", "unknown", false],
  ])("%s contains %s: %p", (text, address, expected) => {
    const ranges = parseAddressRanges(text);
    expect(ranges && isInRanges(ranges, address)).toBe(expected);
  });

  test.each([
    "",
    "localhost",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "10.0.0/8",
    "a,10.0.0.1",
    "10.0.0.1,",
    "10.0.0.1 10.0.0.2",
    "10.0.0.1:80",
    "[::1]",
    "10.0.0.0/",
    "010.0.0.1",
  ])("%p is no list of addresses", (text) => expect(parseAddressRanges(text)).toBeUndefined());
});

describe("behavior 8.16: the client of a request", () => {
  const trusted = parseAddressRanges("10.0.0.0/8,::1") ?? [];

  test.each([
    ["without a proxy, whatever the header says", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["behind a proxy", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["behind two proxies", "10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["is the rightmost address that is not trusted", "10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["behind a proxy that adds the port", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["behind a proxy that adds a port to IPv6", "::1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["behind a proxy without the header", "10.0.0.1", null, "10.0.0.1"],
    ["behind a proxy with an invalid entry", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["is a proxy that sends its own request", "10.0.0.1", "10.0.0.3", "10.0.0.3"],
    ["behind a proxy that writes IPv4 as IPv6", "::ffff:0a00:1", "::FFFF:c633:6401", "198.51.100.1"],
    [
      "behind a proxy that writes every group of IPv6",
      "10.0.0.1",
      "0:0:0:0:0:ffff:c633:6401",
      "198.51.100.1",
    ],
    ["behind a proxy that adds a zone", "10.0.0.1", "fe80::1%eth0", "fe80::1%eth0"],
    ["on a socket for both families", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  ])("%s", (_, peer, forwardedFor, expected) => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(expected);
  });
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("the network of the client %s is %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
