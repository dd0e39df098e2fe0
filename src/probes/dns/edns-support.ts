import type { DnsServer } from "../../domain/network/dns-server.ts";

/**
 * Which servers drop queries with EDNS (RFC 6891), or are behind a firewall that does. Without this memory, each query to
 * such a server would first wait in vain.
 */
export class EdnsSupport {
  private readonly understanding = new Set<string>();
  private readonly dropping = new Set<string>();

  /** Whether queries to a server have EDNS. */
  isUsedWith(server: DnsServer): boolean {
    return !this.dropping.has(keyOf(server));
  }

  /** Whether it is not known yet what a server does with EDNS. */
  isUntried(server: DnsServer): boolean {
    return !this.understanding.has(keyOf(server)) && this.isUsedWith(server);
  }

  /** A query with EDNS was answered. */
  answered(server: DnsServer): void {
    this.understanding.add(keyOf(server));
  }

  /** A query was answered only after it was repeated without EDNS. */
  answeredWithout(server: DnsServer): void {
    if (this.isUntried(server)) this.dropping.add(keyOf(server));
  }
}

function keyOf({ address, port }: DnsServer): string {
  return `${address} ${port}`;
}
