import { EVERY_GROUP, type NotifyOn } from "../../../src/domain/alerts/notify.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import type { Manner } from "./receivers.ts";
import type { ModelChannel, ModelMonitor } from "./rules.ts";
import { DNS_VALUE, type MonitorKind, type Owner } from "./template.ts";

/** A channel that commands name. After it is deleted, another one may be created with the same name. */
export interface ChannelSlot {
  name: string;
  owner: Owner;
  model: ModelChannel;
  /** How many it had so far. */
  addresses: number;
  manner: Manner;
  /** Whether the process ends when it has sent the next notification. */
  endsProcess: boolean;
}

export interface MonitorSlot {
  name: string;
  kind: MonitorKind;
  owner: Owner;
  model: ModelMonitor;
}

type NewChannel = Pick<ModelChannel, "id" | "address"> & {
  owner: Owner;
  notifyOn?: NotifyOn;
  isDefault?: boolean;
};

export function newChannel({ owner, ...values }: NewChannel): ModelChannel {
  const { organizationId } = owner;
  return {
    notifyOn: EVERY_GROUP,
    isDefault: false,
    ...values,
    organizationId,
    attempt: undefined,
    exists: true,
    enabled: true,
  };
}

export function newMonitor(
  { id, kind }: { id: string; kind: MonitorKind },
  { organizationId }: Owner,
  channels: ModelChannel[],
): ModelMonitor {
  const values = { id, organizationId, exists: true, enabled: true, status: "unknown", revision: 0 };
  return {
    ...values,
    ...{ channels: new Set(channels), results: [], dependsOn: new Set(), delays: new Map() },
    ...{ kind: kind === "SCHEDULED" ? "job" : "probed", outage: undefined, trouble: undefined },
    latestAt: Number.NEGATIVE_INFINITY,
  };
}

/** The recording of a monitor with this result. */
export function recordingOf({ model, kind }: MonitorSlot, status: string, at: number): Recording {
  const { id: monitorId, revision } = model;
  if (kind !== "SCHEDULED") return { kind: "check", monitorId, revision, evidence: evidenceOf(status), at };
  return { kind: "checkin", monitorId, status: status === "failed" ? "fail" : "ok", at };
}

function evidenceOf(status: string): Evidence {
  switch (status) {
    case "up":
      return { outcome: "reached", latencyMs: 10, detail: {} };
    case "present":
      return lookup({ recordType: "A", values: [DNS_VALUE], failure: null });
    case "changed":
      return lookup({ recordType: "A", values: ["192.0.2.2"], failure: null });
    case "missing":
      return lookup({ recordType: "A", values: [], failure: "nxdomain" });
    default:
      return { outcome: "failed", reason: "refused", detail: {} };
  }
}

type Lookup = (Evidence & { outcome: "looked_up" })["answer"]["lookups"][number];

function lookup(one: Lookup): Evidence {
  return { outcome: "looked_up", answer: { hostname: "a.example", lookups: [one] } };
}
