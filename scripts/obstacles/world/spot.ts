import type { Socket } from "node:net";
import type { Answer } from "dns-packet";
import { type DeafServer, startDeafServer } from "../../../test/support/servers/deaf-server.ts";
import {
  type Replier,
  type Reply,
  startDnsServer,
  type TestDnsServer,
} from "../../../test/support/servers/dns-server.ts";
import { startServer, type TestServer } from "../../../test/support/servers/tcp-server.ts";
import type { ServerProcess } from "../../bed/server.ts";
import type { Said } from "../judge/run.ts";
import type { Certificates } from "./certificates.ts";
import { DNS_PORT } from "./dns-port.ts";

/** Answers one connection. @param nth its number, from 1, since this handler is used */
export type Handler = (socket: Socket, nth: number) => void;

/** Answers of the DNS to queries for one name, of any type or by type. */
export type NameReply = Reply | Replier | { A: Reply | Replier; AAAA: Reply | Replier };

/** By name, or by type and name. */
type Zone = Record<string, Reply | Replier>;

interface Shared {
  replies: Zone;
  dns: TestDnsServer;
  certificates: Certificates;
}

/** The place of one scenario: some addresses, one port on all of them, and a name. */
export class Spot implements AsyncDisposable {
  readonly port: number;
  readonly host: string;
  /** The process of stillup, if the scenario has a server of its own. */
  server: ServerProcess | undefined;
  /** The first three numbers of its addresses. */
  network: string;
  /** Takes what a stand-in of a receiver got about a monitor. */
  hear: (monitor: string, said: Said) => void = () => {};
  private readonly listeners = new Map<string, { server: TestServer; handler: Handler; nth: number }>();
  private readonly zones = new Map<number, { zone: Zone; dns: TestDnsServer }>();
  private readonly checkins = new Map<string, PromiseWithResolvers<string>>();
  private readonly stack = new AsyncDisposableStack();

  constructor(
    private readonly shared: Shared,
    number: number,
    name: string,
  ) {
    this.port = 21_000 + number;
    this.host = `${name}.course.test`;
    this.network = `127.${7 + Math.floor(number / 256)}.${number % 256}`;
  }

  /** The check-in URL of the job of a monitor. It is known when the monitor exists. @param label of the monitor */
  checkin(label: string): PromiseWithResolvers<string> {
    const found = this.checkins.get(label) ?? Promise.withResolvers<string>();
    this.checkins.set(label, found);
    return found;
  }

  get certificates(): Certificates {
    return this.shared.certificates;
  }

  /** The DNS server of the world. */
  get dnsAddress(): string {
    return `${this.shared.dns.address}:${this.shared.dns.port}`;
  }

  /** @param nth 1 to 250 */
  address(nth = 1): string {
    return `${this.network}.${nth}`;
  }

  /** Answers connections from now on. Nothing is refused while one handler replaces another. */
  async serve(handler: Handler, address = this.address()): Promise<void> {
    const present = this.listeners.get(address);
    if (present) {
      Object.assign(present, { handler, nth: 0 });
      return;
    }
    const accept = (socket: Socket) => {
      const own = this.listeners.get(address);
      if (own) own.handler(socket, ++own.nth);
      else socket.destroy();
    };
    const server = await startServer(accept, { host: address, port: this.port });
    this.listeners.set(address, { server, handler, nth: 0 });
  }

  /** Refuses connections from now on, and ends those that are open. */
  refuse(address = this.address()): void {
    this.listeners.get(address)?.server[Symbol.dispose]();
    this.listeners.delete(address);
  }

  /** From now on, nothing answers an attempt to connect to the address. */
  async deafen(...addresses: string[]): Promise<DeafServer> {
    for (const address of addresses) this.refuse(address);
    return this.stack.use(await startDeafServer({ hosts: addresses, port: this.port }));
  }

  /** Changes the answers of the DNS for the name of the place. */
  resolve(reply: NameReply): void {
    setReply(this.shared.replies, this.host, reply);
  }

  /**
   * Like `resolve`, of a DNS server at an address of this place, which it starts.
   *
   * @param root its answers about the root, by which it shows that it is alive
   * @param host another name
   */
  async resolveAt(
    nth: number,
    reply: NameReply,
    { root = [], host = this.host }: { root?: Reply | Replier; host?: string } = {},
  ): Promise<void> {
    const { zone } = this.zones.get(nth) ?? (await this.startDns(nth));
    zone["."] = root;
    setReply(zone, host, reply);
  }

  /** The DNS server at an address of this place no longer runs. */
  closeDns(nth: number): void {
    this.zones.get(nth)?.dns[Symbol.dispose]();
    this.zones.delete(nth);
  }

  /** Ends with the scenario. */
  own<T extends Disposable | AsyncDisposable>(resource: T): T {
    return this.stack.use(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const address of this.listeners.keys()) this.refuse(address);
    for (const nth of this.zones.keys()) this.closeDns(nth);
    this.resolve({ code: "NXDOMAIN" });
    await this.stack.disposeAsync();
  }

  private async startDns(nth: number) {
    const zone: Zone = {};
    const dns = await startDnsServer(zone, { host: this.address(nth), port: DNS_PORT });
    this.zones.set(nth, { zone, dns });
    return { zone, dns };
  }
}

function setReply(zone: Zone, name: string, reply: NameReply): void {
  for (const type of ["A ", "AAAA ", ""]) delete zone[`${type}${name}`];
  if (typeof reply !== "object" || !("AAAA" in reply)) zone[name] = reply;
  else Object.assign(zone, { [`A ${name}`]: reply.A, [`AAAA ${name}`]: reply.AAAA });
}

/** The records of some addresses. */
export function addressRecords(name: string, ...addresses: string[]): Record<"A" | "AAAA", Answer[]> {
  const of = (type: "A" | "AAAA", isWanted: boolean): Answer[] =>
    addresses
      .filter((address) => address.includes(":") === isWanted)
      .map((data) => ({ type, name, data, ttl: 0 }));
  return { A: of("A", false), AAAA: of("AAAA", true) };
}
