import { expect, test } from "bun:test";
import * as net from "node:net";
import fc from "fast-check";
import { canonical } from "../../../src/domain/checks/observation.ts";
import {
  addressBytes,
  compareAddresses,
  isIPv4,
  isIPv6,
  mappedIPv4,
} from "../../../src/domain/network/client-address.ts";
import { walks } from "../../support/long.ts";

test.each([
  ...[
    "127.0.0.1",
    "255.255.255.255",
    "256.0.0.1",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.4\n",
    "0x7f.1",
    "",
  ],
  ...["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::2:3:4:5:6:7:8"],
  ...[
    "::ffff:1.2.3.4",
    "1:2:3:4:5:6:1.2.3.4",
    "::01.2.3.4",
    "::1:2:3:4:1.2.3.4",
    "1.2.3.4::1",
    "::1.2.3.4:1",
    "1.2.3.4::",
    "::1.2.3",
    "::1\n",
    "[::1]",
    ":::",
  ],
  ...["fe80::1%eth0", "fe80::1%", "fe80::1%a b", "::1%1.2", "12345::", "g::", "1::2::3", ":1", "1:"],
])("%j is an address if node:net says so", (text) => {
  expect([isIPv4(text), isIPv6(text)]).toEqual([net.isIPv4(text), net.isIPv6(text)]);
});

test("a random text that looks like an address is one if node:net says so", () => {
  const part = fc.oneof(
    fc.constantFrom("", ":", "::", ".", "%", "0", "00", "ffff", "10000", "255", "256"),
    fc.ipV4(),
  );
  const looksLike = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(looksLike, (text) => {
      expect([isIPv4(text), isIPv6(text)]).toEqual([net.isIPv4(text), net.isIPv6(text)]);
    }),
    { numRuns: walks(5000) },
  );
});

test.each([
  ["2001:DB8::0001", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["::1:2:3:4:192.0.2.1", "::1:2:3:4:192.0.2.1"],
])("%s is compared as %s, even if URL rejects it", (value, compared) => {
  expect(canonical("AAAA", value)).toBe(compared);
});

test("the bytes of an address are those that URL writes", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const bytes = addressBytes(text) ?? [];
      const groups = Array.from({ length: 8 }, (_, at) =>
        (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
      );
      const parsed = URL.parse(`http://[${text}]/`);
      if (parsed) expect(URL.parse(`http://[${groups.join(":")}]/`)?.hostname).toBe(parsed.hostname);
    }),
  );
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["0:0:0:0:0:ffff:c000:201", "192.0.2.1"],
  ["::192.0.2.1", undefined],
  ["2001:db8::1", undefined],
])("the IPv4 address in %s is %p", (text, ipv4) => {
  expect(mappedIPv4(addressBytes(text) ?? [])).toBe(ipv4);
});

test.each(["", "a.test", "1.2.3", "[::1]"])("%j has no bytes", (text) => {
  expect(addressBytes(text)).toBeUndefined();
});

test("the order of addresses is that of their numbers", () => {
  const ordered = [
    "::1",
    "10.0.0.9",
    "10.0.0.10",
    "192.0.2.1",
    "2001:db8::9",
    "2001:db8::10",
    "fe80::1%eth0",
  ];
  expect(ordered.toReversed().sort(compareAddresses)).toEqual(ordered);
});
