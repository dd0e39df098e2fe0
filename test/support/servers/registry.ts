import type { RdapServers } from "../../../src/domain/registration/rdap-servers.ts";

/** The answer of a stand-in for a registry about a domain. */
export type Answer = (request: Request) => Response | Promise<Response>;

const DAY = 24 * 60 * 60 * 1000;

/** A stand-in for the RDAP server of a registry on this machine. */
export class Registry implements Disposable {
  /** The answers by domain; others get a 404. */
  readonly answers = new Map<string, Answer>();
  /** The domains of the requests, in their order. */
  readonly asked: string[] = [];
  /** How many requests were under way at once, at most. */
  most = 0;
  #open = 0;
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.#answer(request),
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`;
  }

  /** A list in which this is the registry of some names. */
  listed(...names: string[]): RdapServers {
    return { publication: "2026-11-01", byName: new Map(names.map((name) => [name, this.url])) };
  }

  /** Knows a domain. @param days until it expires */
  knows(domain: string, { days = 100, ...changes }: { days?: number } & Record<string, unknown> = {}): void {
    this.answers.set(domain, () => rdap(domain, { days, ...changes }));
  }

  async #answer(request: Request): Promise<Response> {
    const domain = new URL(request.url).pathname.replace(/^\/domain\//, "");
    this.asked.push(domain);
    this.most = Math.max(this.most, ++this.#open);
    try {
      const answer = this.answers.get(domain);
      return await (answer?.(request) ?? new Response("{}", { status: 404 }));
    } finally {
      this.#open--;
    }
  }

  [Symbol.dispose](): void {
    this.#server.stop(true);
  }
}

/** An answer in the form of RFC 9083. @param days until the domain expires */
export function rdap(
  domain: string,
  { days = 100, ...changes }: Record<string, unknown> & { days?: number } = {},
) {
  return Response.json(
    {
      objectClassName: "domain",
      ldhName: domain.toUpperCase(),
      status: ["active", "client transfer prohibited"],
      events: [
        { eventAction: "registration", eventDate: "2001-05-04T12:00:00Z" },
        { eventAction: "expiration", eventDate: new Date(Date.now() + days * DAY).toISOString() },
      ],
      entities: [
        {
          roles: ["registrar"],
          vcardArray: [
            "vcard",
            [
              ["version", {}, "text", "4.0"],
              ["fn", {}, "text", "Example Registrar Inc."],
            ],
          ],
        },
      ],
      ...changes,
    },
    { headers: { "content-type": "application/rdap+json" } },
  );
}
