import type { LookupFailure, Observation, Reason } from "../domain/checks/observation.ts";
import type { ProbeClock } from "./probe-clock.ts";

/** Whether the network of this machine works. */
export type NetworkState = "online" | "offline";

/**
 * Finds out whether the network of this machine is gone, so that this is not recorded as the status of a target (behavior 13.50 to
 * 13.53).
 */
export interface OwnNetwork {
  /** Something has answered, for example the receiver of a notification: the network works (behavior 13.71). */
  answered(): void;
  /** A check has waited for long: if the network is gone and comes back before that check fails, it is known then. */
  suspect(): void;
  /**
   * Makes an observation without any answer inconclusive if the network was offline during the check.
   *
   * @param start when the check started, a monotonic time
   */
  discount(observation: Observation, start: number): Promise<Observation>;
  /** The state now. */
  look(): Promise<NetworkState>;
}

/** Pause between two looks while the network is offline, and between two because of suspicion; milliseconds. */
const LOOK_EVERY = 1000;

const OFFLINE: Observation = {
  outcome: "inconclusive",
  message:
    "the network of this machine is offline: none of the servers of --network-check can be connected to",
  isOffline: true,
};

/** How long one answer proves that the network works, in milliseconds; equals the timeout of a check of the network. */
const ANSWER_PROVES = 2000;

/** One look at the network. @property startedAt monotonic */
interface Look {
  startedAt: number;
  isOnline: Promise<boolean>;
}

/**
 * @param isAnswered tries to connect to all servers of the setting at once, and resolves with whether any answers
 * @param onState called after the first look and after each change
 */
export function createOwnNetwork({
  isAnswered,
  onState,
  clock,
}: {
  isAnswered: () => Promise<boolean>;
  onState: (state: NetworkState) => void;
  clock: Pick<ProbeClock, "monotonic" | "after">;
}): OwnNetwork {
  let state: NetworkState | undefined;
  /** The look that is under way. */
  let current: Look | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last look had no answer, and when the last such look, or the one after it, ended. */
  let wasInVain = false;
  let offlineUntil = Number.NEGATIVE_INFINITY;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let isRepeating = false;

  function begin(): Look {
    lookedAt = clock.monotonic();
    const startedAt = lookedAt;
    return { startedAt, isOnline: isAnswered().then((isOnline) => end(isOnline, startedAt)) };
  }

  /** Any other answer keeps the network online (behavior 13.71), but says nothing about a check without an answer. */
  function end(isOnline: boolean, startedAt: number): boolean {
    current = undefined;
    // The network came back at an unknown moment before the first answer, which may be one to a packet that was sent again.
    if (!isOnline || wasInVain) offlineUntil = clock.monotonic();
    wasInVain = !isOnline;
    change(isOnline || answeredAt >= startedAt ? "online" : "offline");
    if (state === "offline") repeat();
    return isOnline;
  }

  function change(next: NetworkState): void {
    if (next === state) return;
    state = next;
    onState(next);
  }

  function answered(): void {
    answeredAt = clock.monotonic();
    if (state === "offline") change("online");
  }

  /** Without a check that fails, nothing else would show that the network is back. */
  function repeat(): void {
    if (isRepeating) return;
    isRepeating = true;
    clock.after(LOOK_EVERY, () => {
      isRepeating = false;
      if (state === "offline") void isOnlineAt(clock.monotonic());
    });
  }

  /** An answer proves nothing about a moment after the begin of its look, but the lack of one does. */
  async function isOnlineAt(moment: number): Promise<boolean> {
    for (;;) {
      current ??= begin();
      const { startedAt, isOnline } = current;
      if (!(await isOnline)) return false;
      if (startedAt >= moment) return true;
    }
  }

  return {
    answered,
    suspect() {
      const now = clock.monotonic();
      if (now - lookedAt >= LOOK_EVERY) void isOnlineAt(now);
    },
    async discount(observation, start) {
      if (isAnswer(observation)) {
        if (observation.outcome !== "inconclusive") answered();
        return observation;
      }
      const hasLasted = () => offlineUntil < start;
      const isOnline = hasLasted() && (await isOnlineAt(clock.monotonic())) && hasLasted();
      return isOnline ? observation : OFFLINE;
    },
    async look() {
      const now = clock.monotonic();
      if (now - answeredAt >= ANSWER_PROVES) await isOnlineAt(now);
      return state ?? "online";
    },
  };
}

/** The reasons for which the target may have sent no answer (behavior 13.50). */
const SILENT: ReadonlySet<Reason> = new Set(["timeout", "unreachable", "dns_failed", "dns_unreachable"]);

/** Answers of the DNS that name no address. A resolver on this machine gives others if it can't reach any server. */
const ANSWERS: ReadonlySet<LookupFailure | null> = new Set([null, "nxdomain", "no_data"]);

function isAnswer(observation: Observation): boolean {
  switch (observation.outcome) {
    case "failed":
      return !SILENT.has(observation.reason);
    case "looked_up": {
      const { lookups } = observation.answer;
      return (
        lookups.some(({ values }) => values.length > 0) ||
        lookups.every(({ failure }) => ANSWERS.has(failure))
      );
    }
    case "by_address":
      return observation.addresses.some(({ evidence }) => isAnswer(evidence));
    case "inconclusive":
      // Without a descriptor, nothing can be said about the network either.
      return observation.isShortage === true;
    default:
      return true;
  }
}
