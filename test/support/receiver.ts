import type { Server } from "bun";
import { Webhook } from "standardwebhooks";

export interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  payload: Notified;
}

/** The parts of a notification that tests look at. */
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

/** A webhook endpoint that keeps what it gets, and answers as it is told. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** What the next requests are answered with, in order; 200 after those. */
  answers: Response[] = [];
  #server: Server<undefined> | undefined;
  #port = 0;

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
    this.#port = this.#server.port ?? 0;
  }

  /** Refuses connections from now on, and cuts those that there are. */
  async close(): Promise<void> {
    await this.#server?.stop(true);
  }

  statuses(): string[] {
    return this.received.map(({ payload }) => payload.data.status);
  }

  /** The one thing that was received. */
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

/** Checks a signature with the library of the standard itself; throws where it is not right. */
export function verifySignature(secret: string, { body, headers }: Received): void {
  new Webhook(new TextEncoder().encode(secret), { format: "raw" }).verify(body, headers);
}
