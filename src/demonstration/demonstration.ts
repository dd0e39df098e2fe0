import type { Server } from "bun";
import type { Clock } from "../clock.ts";
import type { Caller } from "../domain/accounts/api-key.ts";
import { fault } from "../domain/faults/fault.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { clientNetwork } from "../domain/network/client-address.ts";
import { invalid } from "../errors.ts";
import type { Logger } from "../log.ts";
import { createRateLimit } from "../runner/rate-limit.ts";
import { openExampleStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { withNote } from "./banner.ts";
import {
  actOf,
  jobActOf,
  type OwnSettings,
  ownAddress,
  ownUrl,
  TARGETS,
  targetRefusal,
} from "./own-targets.ts";

/**
 * The special parts of a server that runs `serve --demo` (behavior 24.20 to 24.30): a database in memory with examples, in which everybody is an
 * owner, and which checks only this server and sends nothing to anybody.
 */
export interface Demonstration {
  store: Store;
  /** Who sends a request without a key. */
  anybody: Caller;
  /** The only endpoint that checks connect to. */
  only: { address: string; port: number };
  /** @throws AppError `invalid` for a target that is not this server */
  assertOwn(config: MonitorConfig): void;
  /** In place of the look-up of a receiver. @throws AppError always */
  sendNothing(): never;
  /** Serves an API with the targets of the demonstration, limits for strangers, and a note on every page. */
  served(api: ServedApi, requests: Requests): Listening;
  stop(): void;
}

/** The organization that everybody is in. */
const NAME = "Demonstration";

/** The limits for strangers within an hour, so that a small machine bears them. Tables of history are bounded by their bytes. */
const BOUNDS = {
  bytes: 128 * 1024 * 1024,
  rows: {
    monitors: 100,
    alert_channels: 50,
    api_keys: 100,
    sessions: 1000,
    wall_links: 50,
    people: 100,
    memberships: 100,
    invites: 200,
    person_sessions: 1000,
    passkeys: 200,
    // A location would check from elsewhere.
    locations: 0,
    maintenances: 100,
    pages: 20,
    incidents: 200,
    incident_updates: 1000,
    page_subscribers: 100,
    schedules: 20,
    schedule_overrides: 200,
    report_mails: 20,
  },
  newest: { audit_entries: 5000 },
};

/** Writes of one client. */
const WRITES = { burst: 600, perSecond: 20 };

/** Milliseconds between two runs of the job, and how long one takes. */
const RUN_EVERY = 15_000;
const RUN_TAKES = 3000;
const FIRST_RUN_AFTER = 1000;

const JOB = "Invoices";

export async function openDemonstration(
  own: OwnSettings,
  {
    clock,
    log,
    refusals,
  }: { clock: Clock; log: Logger; refusals: Parameters<typeof openExampleStore>[0]["refusals"] },
): Promise<Demonstration> {
  const refusal = (config: MonitorConfig) => targetRefusal(config, own);
  const { store, owner, monitorIds } = await openExampleStore({
    name: NAME,
    bounds: BOUNDS,
    refusals: { ...refusals, targetRefusal: refusal },
    examples: (all) => examplesHere(all, own),
    now: clock.now(),
  });
  const job = monitorIds.get(JOB) ?? "";
  const writes = createRateLimit({ ...WRITES, clock });
  let stopJob = () => {};

  async function answer(
    request: Request,
    api: ServedApi,
    addressOf: (request: Request) => string,
  ): Promise<Response> {
    const path = pathOf(request);
    const act = actOf(path, clock.now());
    if (act) {
      await clock.sleep(act.delayMs);
      return new Response(act.status === 200 ? "ok\n" : "out of order\n", { status: act.status });
    }
    const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method) && !isCheckin(path);
    const wait = isRead ? 0 : writes.take(clientNetwork(addressOf(request)));
    if (wait > 0) return tooManyWrites(wait);
    return withNote(await api.handle(request));
  }

  return {
    store,
    anybody: { ...owner, actor: { ...owner.actor, name: "Anybody" } },
    only: { address: ownAddress(own.host), port: own.port },
    assertOwn(config) {
      const why = refusal(config);
      if (why !== null) throw invalid(why);
    },
    sendNothing() {
      throw fault("sendsNothing", {}, { kind: "refused" });
    },
    served(api, { addressOf, locate = (request) => request }) {
      stopJob = startJob(api, { id: job, url: ownUrl(own), clock, log });
      return {
        server: null,
        listen(options) {
          const serve = { ...options, fetch: (request: Request) => answer(locate(request), api, addressOf) };
          this.server = api.server = Bun.serve(serve as Parameters<typeof Bun.serve>[0]);
        },
      };
    },
    stop: () => stopJob(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the type of the data of its web sockets, of which there are none
type BunServer = Server<any>;

/** An API that answers requests. */
export interface ServedApi {
  server: BunServer | null;
  handle(request: Request): Response | Promise<Response>;
}

/** @property addressOf the address of a client @property locate gives a request below the base URL the path of its route */
interface Requests {
  addressOf(request: Request): string;
  locate?: ((request: Request) => Request) | undefined;
}

/** Something that listens. */
interface Listening {
  server: BunServer | null;
  listen(options: object): void;
}

/** The path of any request, also without a valid host. */
function pathOf({ url }: Request): string {
  const [, path = "/"] = /^[a-z]+:\/\/[^/?]*([^?]*)/i.exec(url) ?? [];
  return path;
}

/** Whether each request to a path is recorded, whatever its method: a check-in, or a push. */
function isCheckin(path: string): boolean {
  return /^\/(ping\/|api\/push\/|api\/v1\/monitors\/[^/]+\/checkin(\/|$))/.test(path);
}

function tooManyWrites(seconds: number): Response {
  const error = `Too many changes: try again in ${seconds} s`;
  return Response.json({ error }, { status: 429, headers: { "retry-after": String(seconds) } });
}

type Examples = ReturnType<Parameters<typeof openExampleStore>[0]["examples"]>;

/** Examples whose checks take a few seconds, so that their statuses change while somebody watches. */
const INTERVAL = 5;

/** By the name of the example. */
const PATHS: Record<string, string> = {
  Checkout: "checkout",
  "Shop front": "shop",
  "Public API": "api",
  Documentation: "documentation",
  Mail: "mail",
};

/** The examples, checked on this server. What can't be checked there is left out. */
function examplesHere(all: Examples, own: OwnSettings): Examples {
  const web = (path: string) => ({
    type: "HTTP" as const,
    config: {
      url: `${ownUrl(own)}${path}`,
      interval: INTERVAL,
      expect: { status: ["2xx"] },
      ...(own.tls ? { verifyTls: false } : {}),
    },
  });
  return all.flatMap((example) => {
    const { name, detail: _, ...rest } = example;
    const path = PATHS[name];
    if (path !== undefined) return { ...rest, name, ...web(TARGETS + path), isLive: true as const };
    if (name === "Database") {
      const config = { host: ownAddress(own.host), port: own.port, interval: INTERVAL };
      return { ...rest, name, type: "TCP" as const, config, isLive: true as const };
    }
    if (name === JOB) return { ...rest, name, config: { interval: 300, period: RUN_EVERY / 1000, grace: 5 } };
    if (example.type === "SCHEDULED") return example;
    return example.enabled === false ? { ...example, ...web("/healthz") } : [];
  });
}

/** Reports the runs of a job, as the job would. @returns stops it */
function startJob(
  api: ServedApi,
  { id, url, clock, log }: { id: string; url: string; clock: Clock; log: Logger },
): () => void {
  let run = 0;
  let isStopped = false;

  const report = async (action: string, body?: string) => {
    // A run may take longer than the server.
    if (isStopped) return;
    const path = `${url}/api/v1/monitors/${id}/checkin/${action}`;
    const request = new Request(path, { method: "POST", ...(body !== undefined && { body }) });
    // Somebody may have deleted the monitor.
    await Promise.resolve(api.handle(request)).catch((err) => log.debug({ err }, "a job could not report"));
  };
  const runOnce = async () => {
    const act = jobActOf(run++);
    if (act === "is silent") return;
    await report("start");
    await clock.sleep(RUN_TAKES);
    if (act === "fails") await report("1", "sending invoices: the mail server refuses 3 of 41\n");
    else await report("0", `sent ${30 + (run % 20)} invoices\n`);
  };
  const stopFirst = clock.after(FIRST_RUN_AFTER, runOnce);
  const stopOthers = clock.every(RUN_EVERY, runOnce);
  return () => {
    isStopped = true;
    stopFirst();
    stopOthers();
  };
}
