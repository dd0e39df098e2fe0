import type { Server } from "bun";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import {
  type ObservationBatch,
  POLL_FOR,
  PROTOCOL,
  PROTOCOL_HEADER,
  type Recheck,
  type SentObservation,
  type Work,
  type WorkItem,
} from "../../../src/domain/locations/protocol.ts";

export type Received = SentObservation & { evidence: Evidence };

/** The two routes for remote probes, with a work list in memory. */
export class LocationServer implements AsyncDisposable {
  readonly key = `stillup_probe_${"k".repeat(43)}`;
  location = { id: "here-is-an-id", name: "fra" };
  /** In the order of their arrival, each once. */
  recorded: Received[] = [];
  /** How many came again. */
  repeated = 0;
  /** All batches, also those that were not answered. */
  readonly batches: ObservationBatch[] = [];
  /** The requests for work. */
  readonly polls: URLSearchParams[] = [];
  /** Each request gets this instead of its answer, until it is undefined again. */
  fault: (() => Response) | undefined;
  /** Records the next batches, but answers them with an error. */
  losesAnswers = false;
  /** By how much its clock is ahead of the clock of this machine, in milliseconds. */
  ahead = 0;
  #work: { revision: number; monitors: WorkItem[] } = { revision: 1, monitors: [] };
  #rechecks: Recheck[] = [];
  readonly #taken = new Set<string>();
  #news = Promise.withResolvers<void>();
  #server: Server<undefined> | undefined;
  #port = 0;

  constructor() {
    this.listen();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get now(): number {
    return Date.now() + this.ahead;
  }

  /** Listens again, on the same port. */
  listen(): void {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      idleTimeout: 60,
      fetch: (request) => this.#answer(request),
    });
    this.#port = this.#server.port ?? 0;
  }

  /** Refuses connections from now on, and closes open ones. */
  async close(): Promise<void> {
    await this.#server?.stop(true);
  }

  setMonitors(monitors: WorkItem[]): void {
    this.#work = { revision: this.#work.revision + 1, monitors };
    this.#tell();
  }

  ask(recheck: Recheck): void {
    this.#rechecks.push(recheck);
    this.#tell();
  }

  /** Ends the requests that are held. */
  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Answers each request with a fault, the held ones too. */
  fail(fault: () => Response): void {
    this.fault = fault;
    this.#tell();
  }

  of(monitorId: string): Received[] {
    return this.recorded.filter((observation) => observation.monitorId === monitorId);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.headers.get("authorization") !== `Bearer ${this.key}`) return refused(401);
    if (pathname === "/api/v1/probe/work") return this.#answerPoll(searchParams);
    if (pathname === "/api/v1/probe/results")
      return this.#answerBatch((await request.json()) as ObservationBatch);
    return refused(404);
  }

  async #answerPoll(query: URLSearchParams): Promise<Response> {
    this.polls.push(query);
    const fault = this.fault?.();
    if (fault) return fault;
    const revision = Number(query.get("revision") ?? 0);
    const isAsked = () => this.#rechecks.some(({ at }) => at > Number(query.get("after") ?? 0));
    if (revision === this.#work.revision && !isAsked())
      await Promise.race([this.#news.promise, Bun.sleep(POLL_FOR)]);
    const later = this.fault?.();
    if (later) return later;
    const { revision: current, monitors } = this.#work;
    return answered({
      location: this.location,
      now: this.now,
      revision: current,
      ...(revision !== current && { monitors }),
      rechecks: this.#rechecks,
      after: Math.max(0, ...this.#rechecks.map(({ at }) => at)),
    } satisfies Work);
  }

  #answerBatch(batch: ObservationBatch): Response {
    this.batches.push(batch);
    if (this.fault) return this.fault();
    const news = batch.observations.filter(({ sequence }) => !this.#taken.has(`${batch.stream} ${sequence}`));
    for (const { sequence } of news) this.#taken.add(`${batch.stream} ${sequence}`);
    this.recorded.push(...(news as Received[]));
    const repeated = batch.observations.length - news.length;
    this.repeated += repeated;
    this.#rechecks = this.#rechecks.filter(
      ({ monitorId, at }) => !news.some((seen) => seen.monitorId === monitorId && seen.at >= at),
    );
    if (this.losesAnswers) return refused(503);
    return answered({ now: this.now, recorded: news.length, repeated, ignored: 0, refused: 0 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tell();
    await this.close();
  }
}

function answered(body: object): Response {
  return Response.json({ data: body }, { headers: { [PROTOCOL_HEADER]: String(PROTOCOL) } });
}

/** @param protocol the protocol of the server */
export function refused(
  status: number,
  { protocol = PROTOCOL, headers = {} }: { protocol?: number; headers?: Record<string, string> } = {},
): Response {
  const body = { success: false, error: `refused with ${status}` };
  return Response.json(body, { status, headers: { [PROTOCOL_HEADER]: String(protocol), ...headers } });
}
