import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { DnsClient } from "../dns/dns-client.ts";
import type { Connector } from "./connector.ts";
import type { EveryAddress, LookupOptions, Network } from "./network.ts";

/** The AAAA query may still run, over UDP and TCP, while the IPv4 addresses are tried. */
const SOCKETS_OF_LATE_QUERY = 2;

/** The network for one check, which counts its sockets by the addresses that it tries. */
export class CountingNetwork implements Network {
  /** How many sockets the check may hold from now on; undefined before its name is resolved. */
  sockets: number | undefined;
  /** How many it held at most; undefined if no name was resolved. The connections of all redirects are open until the end. */
  held: number | undefined;
  /** Whether the check has parts, one for each address, which hold their sockets at the same time. */
  private hasParts = false;

  constructor(private readonly network: Network) {}

  get dns(): DnsClient {
    return this.network.dns;
  }

  get connector(): Connector {
    return this.network.connector;
  }

  addressesOf(host: string, timeout: number): string[] | Promise<string[]> {
    const found = this.network.addressesOf(host, timeout);
    return Array.isArray(found) ? this.countOne(host, found) : this.countLater(host, found);
  }

  async resolve(host: string, options: LookupOptions): Promise<string[]> {
    const addresses = await this.network.resolve(host, options);
    this.count(host, addresses);
    if (this.hasParts) this.sockets = this.held;
    return addresses;
  }

  /** Each address is counted when it is tried. */
  async everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress> {
    const found = await this.network.everyAddressOf(host, options);
    this.hasParts = true;
    return found;
  }

  dnsWith(servers: DnsServer[]): DnsClient {
    return this.network.dnsWith(servers);
  }

  private async countLater(host: string, found: Promise<string[]>): Promise<string[]> {
    return this.countOne(host, await found);
  }

  private countOne(host: string, addresses: string[]): string[] {
    const sockets = this.count(host, addresses);
    this.sockets = this.hasParts ? this.held : sockets;
    return addresses;
  }

  /** An IP address, which is its own address, needs no query. */
  private count(host: string, addresses: string[]): number {
    const sockets = addresses[0] === host ? 1 : addresses.length + SOCKETS_OF_LATE_QUERY;
    this.held = (this.held ?? 0) + sockets;
    return sockets;
  }
}
