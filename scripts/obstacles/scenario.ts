import type { TlsAdvice } from "../../src/domain/checks/observation.ts";
import type { Layer } from "../../src/domain/evidence/evidence.ts";
import type { MonitorType } from "../../src/domain/monitors/monitor.ts";
import type { Status } from "../../src/domain/monitors/status.ts";
import type { ServerSetup } from "../bed/server.ts";
import type { Spot } from "./world/spot.ts";

/** A monitor as a user creates it. `config` and the two numbers are fields of the API. */
export interface Monitor {
  type: MonitorType;
  config: Record<string, unknown>;
  confirmations?: number;
  recoveries?: number;
}

/** A channel as a user creates it. */
export interface Channel {
  type: "WEBHOOK" | "EMAIL";
  config: Record<string, unknown>;
}

/** The truth about a target during a stage. Everything else that is said of it in that time is false. */
export interface Truth {
  /** The status, which must be known in time. */
  status: Status;
  /** Further statuses that may be said too. */
  also?: Status[];
  /** Statuses that single checks may see, and that must not be said. */
  sees?: Status[];
  /** The reasons that are true of an unhealthy status; default: any. */
  reasons?: string[];
  /** The layers in which the world breaks the target, in this stage or for a part of its checks. */
  layers?: Layer[];
  /** The statement of the report about TLS. */
  advice?: TlsAdvice[];
  /** Whether the target answers late or never, so that the timeout passes before it is known. */
  isSilent?: true;
  /** Seconds until it must be known, instead of what the interval and the confirmations demand. */
  within?: number;
  /** Whether no check can have a result, because what is broken is not the target. */
  isUnseen?: true;
  /** Whether it need not be known in this stage, because stillup itself is broken. */
  mayWait?: true;
}

/** Changes the world. The stage begins when it is done. */
export type Change = (spot: Spot) => unknown;

export interface Stage {
  change: Change;
  /** By the label of the monitor. */
  truths: Record<string, Truth>;
  /** Seconds, or what goes on meanwhile, if other than it takes to know the truth and to see that it stays. */
  lasts?: number | Change;
}

export interface Scenario {
  name: string;
  /** The events, in one sentence. */
  about: string;
  /** By label. They are created in the first stage. */
  monitors: Record<string, (spot: Spot) => Monitor>;
  stages: Stage[];
  /** The channel of the monitors; default: a receiver that accepts everything. */
  channel?: (spot: Spot) => Channel;
  /** A server of its own, because the scenario breaks what all monitors need. @param folder of the server */
  server?: (spot: Spot, folder: string) => OwnServer | Promise<OwnServer>;
  /** Hours that the clock of the server is wrong at times. */
  hours?: number;
  /** Whether few such scenarios can run at a time, or none beside another. */
  load?: "heavy" | "disturbing";
}

/** @property dns its DNS servers; default: the DNS server of the world */
export interface OwnServer extends Omit<ServerSetup, "folder"> {
  dns?: string;
}

type Create = (spot: Spot) => Monitor;

export const UP: Truth = { status: "up" };
export const ACTIVE: Truth = { status: "active" };
export const PRESENT: Truth = { status: "present" };

/** Layers of a target that is broken in one way, which a check may meet at several of them. */
type Where = Layer | Layer[];

/** @param where the layers in which the target is broken, at least one of which is true @param reasons the same; any if left out */
export function down(where: Where, ...reasons: string[]): Truth {
  return unhealthy("down", where, withReasons(reasons));
}

/** Like `down`, for a target that keeps the check waiting until its timeout. */
export function silent(where: Where, ...reasons: string[]): Truth {
  return { ...down(where, ...reasons), isSilent: true };
}

export function missing(...reasons: string[]): Truth {
  return unhealthy("missing", "dns", withReasons(reasons));
}

export function noCert(where: Where, ...reasons: string[]): Truth {
  return unhealthy("no_cert", where, withReasons(reasons));
}

function withReasons(reasons: string[]): Pick<Truth, "reasons"> {
  return reasons.length === 0 ? {} : { reasons };
}

export function unhealthy(status: Status, where: Where, more: Partial<Truth> = {}): Truth {
  return { status, layers: [where].flat(), ...more };
}

/** A scenario with one monitor. @param stages what changes, and what is true from then on */
export function course(
  name: string,
  about: string,
  monitor: Create,
  stages: (readonly [Change, Truth, { lasts: number }?])[],
): Scenario {
  return {
    name,
    about,
    monitors: { it: monitor },
    stages: stages.map(([change, truth, options]) => ({ change, truths: { it: truth }, ...options })),
  };
}

/** The target is good, bad, and good again. @param good how it is when it is good, and what is true then */
export function breaks(
  name: string,
  about: string,
  monitor: Create,
  bad: readonly [Change, Truth],
  good: readonly [Change, Truth],
): Scenario {
  return course(name, about, monitor, [good, bad, good]);
}

/** The target is plain, odd, and plain again: nothing may be said. */
export function keeps(
  name: string,
  about: string,
  monitor: Create,
  odd: Change,
  [plain, truth]: readonly [Change, Truth],
): Scenario {
  return course(name, about, monitor, [
    [plain, truth],
    [odd, truth],
    [plain, truth],
  ]);
}
