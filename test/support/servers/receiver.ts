import type { Server } from "bun";
import { Webhook } from "standardwebhooks";
import { freePort } from "../free-port.ts";

export interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  payload: Notified;
}

/** The parts of a notification that tests read. */
export interface Notified {
  type: string;
  timestamp: string;
  data: {
    organization: { id: string; name: string };
    monitor: { id: string; name: string; type: string; config: object };
    previousStatus: string;
    status: string;
    result: { id: string; latencyMs: number | null; detail: { reason?: string } | null; createdAt: string };
  };
}

/** A webhook endpoint that records its requests and sends the given answers. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** The answers to the next requests, in order; then 200. */
  answers: Response[] = [];
  #server: Server<undefined> | undefined;
  /** Nothing else takes it while the receiver does not listen. */
  readonly #port = freePort();

  constructor() {
    this.listen();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** Listens again, on the same port. */
  listen(): void {
    const fetch = (request: Request) => this.#receive(request);
    this.#server = Bun.serve({ hostname: "127.0.0.1", port: this.#port, fetch });
  }

  /** Refuses connections from now on, and closes open ones. */
  async close(): Promise<void> {
    await this.#server?.stop(true);
  }

  statuses(): string[] {
    return this.received.map(({ payload }) => payload.data.status);
  }

  /** The single notification. @throws if there is not exactly one */
  only(): Received {
    const [first, ...others] = this.received;
    if (!first || others.length > 0)
      throw new Error(`received ${this.received.length} notifications instead of one`);
    return first;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #receive(request: Request): Promise<Response> {
    const headers = Object.fromEntries(request.headers);
    const body = await request.text();
    this.received.push({ id: headers["webhook-id"] ?? "", headers, body, payload: JSON.parse(body) });
    return this.respond();
  }

  protected respond(): Response | Promise<Response> {
    return this.answers.shift() ?? new Response("thanks");
  }
}

/** Verifies a signature with the library of the standard. @throws if it is wrong */
export function verifySignature(secret: string, { body, headers }: Received): void {
  new Webhook(new TextEncoder().encode(secret), { format: "raw" }).verify(body, headers);
}
