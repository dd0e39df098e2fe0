import { expect, test } from "bun:test";
import { type NetworkCheck, parseNetworkChecks } from "../../../src/domain/network/database-url.ts";

test.each<[string, NetworkCheck[] | undefined]>([
  ["192.0.2.1:443", [{ host: "192.0.2.1", port: 443 }]],
  ["[2001:db8::1]:53", [{ host: "2001:db8::1", port: 53 }]],
  [
    "dns.example.com:853, 192.0.2.1:53",
    [
      { host: "dns.example.com", port: 853 },
      { host: "192.0.2.1", port: 53 },
    ],
  ],
  ["", undefined],
  ["192.0.2.1", undefined],
  ["192.0.2.1:0", undefined],
  ["192.0.2.1:65536", undefined],
  ["2001:db8::1:53", undefined],
  ["[192.0.2.1]:53", undefined],
  ["https://example.com:443", undefined],
  ["example.com:443,", undefined],
])("the servers of %p are %p", (text, servers) => {
  expect(parseNetworkChecks(text)).toEqual(servers);
});
