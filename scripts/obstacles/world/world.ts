import {
  type Replier,
  type Reply,
  startDnsServer,
  type TestDnsServer,
} from "../../../test/support/servers/dns-server.ts";
import { type Certificates, createCertificates } from "./certificates.ts";
import { DNS_PORT } from "./dns-port.ts";
import { Spot } from "./spot.ts";

/** Where the stand-ins of all scenarios are: loopback addresses, and a DNS server for the names under `.test`. */
export interface World extends AsyncDisposable {
  dns: TestDnsServer;
  certificates: Certificates;
  /** The place of a scenario. @param number different for each */
  open(number: number, name: string): Spot;
}

const HOST = "127.7.0.53";

export async function createWorld(): Promise<World> {
  const replies: Record<string, Reply | Replier> = {};
  const dns = await startDnsServer(replies, { host: HOST, port: DNS_PORT });
  const certificates = await createCertificates();
  return {
    dns,
    certificates,
    open: (number, name) => new Spot({ dns, replies, certificates }, number, name),
    async [Symbol.asyncDispose]() {
      dns[Symbol.dispose]();
    },
  };
}
