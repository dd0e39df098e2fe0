import { expect, test } from "bun:test";
import { isPrivateAddress } from "../../../src/probes/connections/private-address.ts";

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:a00:1",
  "::127.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::10.0.0.1",
  "64:ff9b::ac1f:ffff",
  "64:ff9b:1::1",
  "2001:0:7f00:1::1",
  "2002:7f00:1::1",
  "2002:ac10::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
])("%s is private", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  "1.1.1.1",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "::ffff:1.1.1.1",
  "64:ff9b::1.1.1.1",
  "64:ff9b::ac20:1",
  "2002:101:101::1",
  "2001:4860:4860::8888",
  "2606:4700::1111",
  "fbff::1",
])("%s is not private", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
