import { expect, test } from "bun:test";
import { addressesIn } from "../../../src/probes/dns/resolve.ts";

const text = `# 192.0.2.9 commented.test
127.0.0.1\tlocalhost localhost.localdomain # this machine
::1 localhost
192.0.2.1  Shop.test shop
not-an-address broken.test
`;

test.each([
  ["localhost", ["127.0.0.1", "::1"]],
  ["SHOP.TEST", ["192.0.2.1"]],
  ["shop", ["192.0.2.1"]],
  ["commented.test", []],
  ["this", []],
  ["broken.test", []],
])("%s is found at %p", (host, addresses) => {
  expect(addressesIn(text, host)).toEqual(addresses);
});
