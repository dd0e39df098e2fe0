import type { Author } from "../../../src/domain/accounts/audit.ts";
import type { Recorded } from "../../../src/domain/monitors/recording-plan.ts";
import { StorageFault, unavailable } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Interruptions } from "../coverage/work.ts";
import type { DueTimes, Part } from "./due-times.ts";
import type { Machine } from "./machine.ts";
import type { EventLoop } from "./virtual-time.ts";

/** How long a write waits while another process locks the database, in milliseconds. */
const LOCK_WAIT = 5000;

const SYNC = 2;
const SLOW_SYNC = 1500;

/** How a life of the server uses its disk. */
export interface DiskUser {
  machine: Machine;
  /** The main thread. */
  loop: EventLoop;
  due: DueTimes;
  /** See `SimulatedDatabase`. */
  isEmbedded: boolean;
  isDead(): boolean;
  /** Whether the process may die at one of the next calls. */
  isDoomed(): boolean;
  /** Counts a call of a method. @returns when the process dies at it */
  countCall(name: string): "before" | "after" | undefined;
  die(): void;
  /** Whether a sweep of the heartbeats represents those that were left out before it. */
  isMakingUp(): boolean;
  /** The work of a part is due at another time. */
  changed(part: Part): void;
  interruptions: Interruptions;
}

const EVERY_PART: readonly Part[] = ["scheduler", "heartbeats", "dispatcher", "review"];

/** The parts that may have other work after a write. */
const CHANGES: Record<string, (result: never) => readonly Part[]> = {
  "checks.recall": () => ["scheduler"],
  "recording.record": changedBy,
  "heartbeats.noteAlive": () => [],
  "heartbeats.excuseOutage": () => ["heartbeats", "dispatcher", "review"],
  "heartbeats.recallDeadlines": () => ["heartbeats", "dispatcher", "review"],
  "heartbeats.postponeDeadline": () => ["heartbeats"],
  // The review sends a recovery again that its receiver did not get.
  "deliveries.recordAttempts": () => ["dispatcher", "review"],
  "monitors.update": () => EVERY_PART,
  "monitors.delete": () => EVERY_PART,
  "configuration.apply": () => EVERY_PART,
  "outages.acknowledge": () => ["review"],
  "outages.unacknowledge": () => ["review"],
  "maintenances.create": () => EVERY_PART,
  "maintenances.end": () => EVERY_PART,
  "maintenances.delete": () => EVERY_PART,
  "maintenances.noteWindows": () => ["dispatcher", "review"],
  "alertReviews.review": () => ["dispatcher", "scheduler", "review"],
  "alertReviews.recall": () => ["review"],
  "recording.recordObservations": () => ["scheduler", "dispatcher"],
  "locations.noteSeen": () => [],
  "locations.silence": () => ["scheduler", "dispatcher"],
  "locations.reconnect": () => ["scheduler", "dispatcher"],
  "locations.setAtFault": () => ["scheduler", "dispatcher"],
  "housekeeping.sweepDeletedMonitors": () => [],
  "housekeeping.sweepDeletedChannels": () => [],
  "housekeeping.sealResults": () => [],
  "housekeeping.pruneResults": () => [],
  "housekeeping.pruneRollups": () => [],
  "housekeeping.pruneDetails": () => [],
  "housekeeping.returnSpace": () => [],
  "housekeeping.noteSteady": () => [],
  "housekeeping.noteDnsAnswer": () => [],
};

/** Methods that write a claim, unless the database is embedded. */
const CLAIMS = new Set([
  "checks.claim",
  "deliveries.claim",
  "heartbeats.claimOverdue",
  "claims.take",
  "claims.release",
]);

function changedBy(recorded: readonly (Recorded | null)[]): readonly Part[] {
  const parts = new Set<Part>();
  for (const one of recorded) {
    parts.add(one?.type === "SCHEDULED" ? "heartbeats" : "scheduler");
    if (one?.notable) parts.add("dispatcher").add("review");
  }
  return [...parts];
}

type Method = (...given: never[]) => unknown;

export interface Disk {
  store: Store;
  /** Writes what is postponed. */
  flush(): void;
}

/** A store whose calls can fail, wait and be the last ones of their process. A dead process gets no answer. */
export function throughDisk(opened: Store, user: DiskUser): Disk {
  const { machine, loop, due, interruptions } = user;
  let synced = 0;
  let alive: number | undefined;

  async function call<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (user.isDead()) return never();
    interruptions.calls.add(name);
    const death = user.countCall(name);
    if (death) interruptions.count(`killed ${death} ${name}`);
    if (death === "before") return die();
    const changes = CHANGES[name];
    if (changes || (!user.isEmbedded && CLAIMS.has(name))) await beforeWrite(user, name);
    if (user.isDead()) return never();
    const result = await work();
    if (changes)
      for (const part of changes(result as never)) {
        due.wrote(part);
        user.changed(part);
      }
    if (death === "after") return die();
    return user.isDead() ? never() : result;
  }

  function die(): Promise<never> {
    user.die();
    return never();
  }

  /** On SQLite it precedes the next write in the queue of the store. */
  function flush(): Promise<void> | undefined {
    const written = alive === undefined ? undefined : opened.heartbeats.noteAlive(alive);
    alive = undefined;
    return written;
  }

  function afterFlush<Result>(work: () => Promise<Result>): Promise<Result> {
    const written = flush();
    return written && !user.isEmbedded ? written.then(work) : work();
  }

  async function syncNow(): Promise<void> {
    const newest = due.newestDelivery();
    await waitOn(loop, machine.has("slow-disk") ? SLOW_SYNC : SYNC);
    if (machine.has("disk-full")) interruptions.count("disk-full at recording.syncResults");
    if (machine.has("disk-full")) throw unavailable(new Error("no space left on the device"));
    synced = Math.max(synced, newest);
  }

  const store = { ...wrap(opened, call), as: (author: Author) => wrap(opened.as(author), call) };
  const { noteAlive, excuseOutage, recallDeadlines, claimOverdue } = store.heartbeats;
  const mustWrite = () => user.isDoomed() || machine.rejectsWrites();
  /**
   * Most sweeps of an idle server cost nothing: of timestamps that follow one another only the last one is written, before
   * something reads it, and the database is not searched for late jobs before the next deadline.
   */
  const idleSweeps: Partial<Store["heartbeats"]> = {
    async noteAlive(now) {
      if (user.isDead()) return never();
      if (mustWrite()) {
        return afterFlush(() => noteAlive(now));
      }
      alive = now;
    },
    async excuseOutage(now, onUncomputable, outage) {
      if (user.isDead()) return never();
      if (!user.isMakingUp() || mustWrite()) {
        return afterFlush(() => excuseOutage(now, onUncomputable, outage));
      }
      alive = now;
      return [];
    },
    recallDeadlines(...given) {
      return afterFlush(() => recallDeadlines(...given));
    },
    async claimOverdue(by, when) {
      const mayBeLate = user.isDoomed() || due.of("heartbeats") <= when.now;
      return mayBeLate || user.isDead() ? claimOverdue(by, when) : [];
    },
  };
  const heartbeats = { ...store.heartbeats, ...idleSweeps };
  if (!user.isEmbedded) return { flush, store: { ...store, heartbeats } };
  return {
    flush,
    store: {
      ...store,
      heartbeats,
      recording: { ...store.recording, syncResults: () => call("recording.syncResults", syncNow) },
      deliveries: { ...store.deliveries, isSynced: async (pk) => pk <= synced },
    },
  };
}

/** Lets all calls of the store run by `call`. */
function wrap<Rooms extends object>(
  store: Rooms,
  call: (name: string, work: () => Promise<unknown>) => Promise<unknown>,
): Rooms {
  const rooms = Object.entries(store).map(([room, methods]) => {
    if (typeof methods === "function") return [room, methods];
    const wrapped = Object.entries(methods as Record<string, Method>).map(([method, work]) => {
      const name = `${room}.${method}`;
      return [method, (...given: never[]) => call(name, async () => work(...given))];
    });
    return [room, Object.fromEntries(wrapped)];
  });
  return Object.fromEntries(rooms);
}

/** @throws StorageFault */
async function beforeWrite({ machine, loop, interruptions }: DiskUser, name: string): Promise<void> {
  if (machine.has("disk-full")) interruptions.count(`disk-full at ${name}`);
  if (machine.has("disk-full")) throw fault("SQLITE_FULL", "database or disk is full");
  const unlockedAt = machine.endOf("locked");
  if (unlockedAt === undefined) return;
  interruptions.count(`locked at ${name}`);
  const from = loop.freeAt();
  const until = Math.min(from + LOCK_WAIT, Math.max(from, unlockedAt));
  await waitOn(loop, until - machine.time.now);
  if (until < unlockedAt) throw fault("SQLITE_BUSY", "database is locked");
}

function waitOn(loop: EventLoop, ms: number): Promise<void> {
  return new Promise((resolve) => void loop.after(ms, resolve));
}

function fault(code: string, message: string): StorageFault {
  return new StorageFault(Object.assign(new Error(message), { code }));
}

function never(): Promise<never> {
  return new Promise(() => {});
}
