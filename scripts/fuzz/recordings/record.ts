/**
 * Records answers of real servers on this machine, for the tests of scripts/fuzz: `bun scripts/fuzz/recordings/record.ts`. It needs
 * caddy, knotd, named, nginx, node, nsd, openssl and python3.
 */
import { join } from "node:path";
import { recordDns } from "./record-dns.ts";
import { recordHttp } from "./record-http.ts";
import { recordCertificates, recordFlights } from "./record-tls.ts";

const recordings = {
  http: await recordHttp(),
  dns: await recordDns(),
  flights: await recordFlights(),
  certificates: await recordCertificates(),
};
for (const [name, list] of Object.entries(recordings)) {
  const lines = list.map((one) => `  ${JSON.stringify(one)}`).join(",\n");
  await Bun.write(join(import.meta.dir, `${name}.json`), `[\n${lines}\n]\n`);
  console.log(`${name}: ${list.length} recordings of ${new Set(list.map(({ from }) => from)).size} servers`);
}
process.exit(0);
