/** Runs in a network namespace that has only a loopback interface. Prints the addresses of names that are checked there. */
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { startDnsServer } from "../servers/dns-server.ts";

const [SOME, NONE] = ["some.test", "none.test"];
const a = (name: string, ...all: string[]) => all.map((data) => ({ type: "A" as const, name, data }));
const aaaa = (name: string, ...all: string[]) => all.map((data) => ({ type: "AAAA" as const, name, data }));
const dns = await startDnsServer({
  [`A ${SOME}`]: a(SOME, "192.0.2.1", "127.0.0.1"),
  [`AAAA ${SOME}`]: aaaa(SOME, "2001:db8::1", "::1"),
  [`A ${NONE}`]: a(NONE, "192.0.2.1"),
  [`AAAA ${NONE}`]: aaaa(NONE, "2001:db8::1"),
});
const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
const [some, none] = await Promise.all(
  [SOME, NONE].map((name) => network.everyAddressOf(name, { timeout: 2000 })),
);
await Bun.write(Bun.stdout, JSON.stringify({ some, none }));
process.exit();
