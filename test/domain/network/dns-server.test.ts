import { expect, test } from "bun:test";
import { type DnsServer, parseDnsServers, parseResolvConf } from "../../../src/domain/network/dns-server.ts";

const at = (address: string, port = 53): DnsServer => ({ address, port });

test.each<[string, DnsServer[] | undefined]>([
  ["192.0.2.53", [at("192.0.2.53")]],
  ["192.0.2.53:5353", [at("192.0.2.53", 5353)]],
  ["2001:db8::53", [at("2001:db8::53")]],
  ["[2001:db8::53]", [at("2001:db8::53")]],
  ["[2001:db8::53]:5353", [at("2001:db8::53", 5353)]],
  ["192.0.2.53, [::1]:5353", [at("192.0.2.53"), at("::1", 5353)]],
  ["", undefined],
  ["dns.example.com", undefined],
  ["192.0.2.53:0", undefined],
  ["192.0.2.53:70000", undefined],
  ["192.0.2.53,,192.0.2.54", undefined],
  ["[192.0.2.53]:53", undefined],
])("the list of servers %p is %p", (text, servers) => {
  expect(parseDnsServers(text)).toEqual(servers);
});

test("the servers of the system are those of resolv.conf, in its order", () => {
  const text = "# nameserver 192.0.2.1\nnameserver 192.0.2.2\nsearch lan\n nameserver fe80::1%eth0\n";
  expect(parseResolvConf(text)).toEqual([at("192.0.2.2"), at("fe80::1%eth0")]);
});

test("without servers in resolv.conf, this machine is the server", () => {
  expect(parseResolvConf("search lan\n")).toEqual([at("127.0.0.1")]);
});
