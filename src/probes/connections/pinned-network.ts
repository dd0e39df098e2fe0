import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { DnsClient } from "../dns/dns-client.ts";
import type { Connector } from "./connector.ts";
import type { EveryAddress, LookupOptions, Network } from "./network.ts";

/** The network for the check of one address of a host: the first name that is resolved has this address only. */
export class PinnedNetwork implements Network {
  private isPinned = true;

  constructor(
    private readonly network: Network,
    private readonly address: string,
  ) {}

  get dns(): DnsClient {
    return this.network.dns;
  }

  get connector(): Connector {
    return this.network.connector;
  }

  addressesOf(host: string, timeout: number): string[] | Promise<string[]> {
    return this.network.addressesOf(this.pinned(host), timeout);
  }

  async resolve(host: string, options: LookupOptions): Promise<string[]> {
    return this.network.resolve(this.pinned(host), options);
  }

  everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress> {
    return this.network.everyAddressOf(host, options);
  }

  dnsWith(servers: DnsServer[]): DnsClient {
    return this.network.dnsWith(servers);
  }

  /** An address, which is resolved to itself, and may be refused as private. */
  private pinned(host: string): string {
    const resolved = this.isPinned ? this.address : host;
    this.isPinned = false;
    return resolved;
  }
}
