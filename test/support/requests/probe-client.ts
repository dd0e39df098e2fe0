import { PROTOCOL, PROTOCOL_HEADER } from "../../../src/domain/locations/protocol.ts";
import type { Answer, Client } from "./client.ts";

/** Evidence that any type of monitor with a connection has. */
export const EVIDENCE = {
  reached: { outcome: "reached", latencyMs: 12.5, detail: { statusCode: 200 } },
  failed: {
    outcome: "failed",
    reason: "timeout",
    detail: { message: "no answer within 10 s" },
  },
} as const;

/** The report of a probe about a check; all other fields have defaults. */
export interface Seen {
  monitorId: string;
  evidence?: unknown;
  revision?: number;
  at?: number;
  startAt?: number;
  sequence?: number;
}

/** Sends requests with the key of a location, as its probe would. */
export class ProbeClient {
  readonly #client: Client;
  #sequence = 0;

  constructor(
    client: Client,
    readonly key: string,
    readonly stream = "a".repeat(22),
  ) {
    this.#client = client.as(key);
  }

  /** @param query of the request @param headers in addition to the headers of a probe */
  work(query: Record<string, string | number> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, `${value}`);
    return this.send("GET", `work?${parameters}`, undefined, headers);
  }

  /** Sends one batch. */
  observe(...seen: Seen[]): Promise<Answer> {
    return this.send("POST", "results", this.batch(...seen));
  }

  batch(...seen: Seen[]) {
    return { stream: this.stream, observations: seen.map((one) => this.#observation(one)) };
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { [PROTOCOL_HEADER]: String(PROTOCOL), "user-agent": "stillup-probe/1.2.3" };
    return this.#client.send(method, `/api/v1/probe/${path}`, body, { ...own, ...headers });
  }

  #observation({ at = Date.now(), revision = 0, evidence = EVIDENCE.reached, ...given }: Seen) {
    return { sequence: ++this.#sequence, revision, at, startAt: at, evidence, ...given };
  }
}

/** Creates a location. @returns its ID, and a client with the key of its probe */
export async function createLocation(
  owner: Client,
  name: string,
): Promise<{ id: string; probe: ProbeClient }> {
  const { status, body } = await owner.post("/api/v1/locations", { name });
  if (status !== 201) throw new Error(`the location was not created: ${status} ${JSON.stringify(body)}`);
  return { id: body.data.id, probe: new ProbeClient(owner, body.data.key) };
}
