import { AppError, StorageFault } from "../../../src/errors.ts";
import { LinkError, type ServerLink } from "../../../src/remote-probe/http-link.ts";
import type { RemoteProbes } from "../../../src/runner/locations/remote-probes.ts";
import type { ProbeCaller } from "../../../src/store/store.ts";
import { Gone, type Server } from "./server.ts";
import type { EventLoop } from "./virtual-time.ts";

/** One way, in milliseconds. */
const LATENCY = 20;

/** As in `http-link.ts`. */
const POLL_TIMEOUT = 35_000;
const SEND_TIMEOUT = 15_000;

/**
 * Function calls in place of requests: they take time, what is sent during a partition is lost, and a server that dies
 * resets them. All of it runs on the event loop of the probe, so that a dead probe gets no answer.
 */
export function createPlaceLink({
  loop,
  caller,
  server,
  begin,
  isPartitioned,
}: {
  loop: EventLoop;
  caller: ProbeCaller;
  /** The present life of the server. */
  server: () => Server | undefined;
  /** Called at the start of a request. @returns is called at its end */
  begin: (name: string) => () => void;
  isPartitioned: () => boolean;
}): ServerLink {
  async function request<Answer>(
    name: string,
    timeout: number,
    work: (probes: RemoteProbes) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    signal?.addEventListener("abort", () => reject(away("aborted")), { once: true });
    loop.after(timeout, () => reject(away("no answer in time")));
    const deliver = (settle: () => void) =>
      void loop.after(LATENCY, () => void (isPartitioned() || settle()));
    deliver(() => {
      const asked = server()?.ask(work) ?? Promise.reject(new Gone("no server"));
      asked.then(
        (answer) => deliver(() => resolve(structuredClone(answer))),
        (error: Error) => deliver(() => reject(linkErrorOf(error))),
      );
    });
    const end = begin(name);
    promise.then(end, end);
    return promise;
  }

  return {
    poll: ({ revision, after, waiting, dropped }, signal) => {
      const query = {
        ...(revision !== undefined && { revision: String(revision) }),
        ...(after !== undefined && { after: String(after) }),
        ...{ waiting: String(waiting), dropped: String(dropped), version: "1.2.3" },
      };
      return request("poll", POLL_TIMEOUT, (probes) => probes.findWork(caller, query, signal), signal);
    },
    send: (batch) => {
      const sent = JSON.parse(JSON.stringify(batch));
      return request("send", SEND_TIMEOUT, (probes) => probes.record(caller, sent, SENDER));
    },
    sendLook: async (look) => {
      await request("look", SEND_TIMEOUT, (probes) => probes.completeEvidence(caller, look));
    },
  };
}

const SENDER = { version: "1.2.3", canLook: true };

function away(message: string): LinkError {
  return new LinkError("away", message);
}

/** As the routes answer and the link of HTTP understands it. */
function linkErrorOf(error: Error): Error {
  if (error instanceof Gone || error instanceof StorageFault) return away(error.message);
  if (!(error instanceof AppError)) return error;
  return error.kind === "unauthorized" ? new LinkError("key_refused", error.message) : away(error.message);
}
