import { expect, test } from "bun:test";
import { type Flags, readConfig } from "../../src/config.ts";

const read = (flags: Flags, env: Record<string, string> = {}) =>
  readConfig(flags, { env, isTerminal: false }).probes;

test("behavior 13.59: by default, probes use the DNS servers of the system and connect to every address", () => {
  expect(read({})).toEqual({ privateTargets: "allow" });
});

test("flags override variables", () => {
  const env = { STILLUP_DNS_SERVERS: "192.0.2.1", STILLUP_PRIVATE_TARGETS: "deny" };
  expect(read({}, env)).toEqual({
    privateTargets: "deny",
    dnsServers: [{ address: "192.0.2.1", port: 53 }],
  });
  const networkCheck = "dns.example.com:853";
  expect(read({ dnsServers: "[::1]:5353", privateTargets: "allow", networkCheck }, env)).toEqual({
    privateTargets: "allow",
    dnsServers: [{ address: "::1", port: 5353 }],
    networkCheck: [{ host: "dns.example.com", port: 853 }],
  });
});

test("an invalid value is rejected with the name of its flag or variable", () => {
  expect(() => read({ dnsServers: "dns.example.com" })).toThrow(
    "--dns-servers must be a comma-separated list",
  );
  expect(() => read({}, { STILLUP_PRIVATE_TARGETS: "no" })).toThrow(
    'STILLUP_PRIVATE_TARGETS must be allow or deny, got "no"',
  );
});
