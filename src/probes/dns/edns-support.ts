import type { DnsServer } from "../../domain/network/dns-server.ts";

/** One of so many queries to a server that seems to drop EDNS is sent with it too. */
const TRY_EVERY = 100;

/**
 * Which servers drop queries with EDNS (RFC 6891), or are behind a firewall that does. Without this memory, each query to
 * such a server would first wait in vain. A packet that was lost looks the same, so EDNS is tried again from time to time.
 */
export class EdnsSupport {
  private readonly understanding = new Set<string>();
  /** With the number of queries since. */
  private readonly dropping = new Map<string, number>();

  /** Whether queries to a server have EDNS. */
  isUsedWith(server: DnsServer): boolean {
    return !this.dropping.has(keyOf(server));
  }

  /** Whether it is not known yet what a server does with EDNS. */
  isUntried(server: DnsServer): boolean {
    return !this.understanding.has(keyOf(server)) && this.isUsedWith(server);
  }

  /** Counts a query without EDNS. @returns whether it is to be sent with it too, without waiting for that */
  isTriedAgain(server: DnsServer): boolean {
    const queries = this.dropping.get(keyOf(server));
    if (queries === undefined) return false;
    this.dropping.set(keyOf(server), queries + 1);
    return (queries + 1) % TRY_EVERY === 0;
  }

  /** A query with EDNS was answered. */
  answered(server: DnsServer): void {
    this.dropping.delete(keyOf(server));
    this.understanding.add(keyOf(server));
  }

  /** A query was answered only after it was repeated without EDNS. */
  answeredWithout(server: DnsServer): void {
    if (this.isUntried(server)) this.dropping.set(keyOf(server), 0);
  }
}

function keyOf({ address, port }: DnsServer): string {
  return `${address} ${port}`;
}
