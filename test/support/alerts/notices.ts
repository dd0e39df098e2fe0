import type {
  BlindnessNotice,
  LocationNotice,
  MaintenanceNotice,
} from "../../../src/domain/alerts/alert-event.ts";
import { AT } from "./transitions.ts";

export const silent: LocationNotice = {
  type: "location.silent",
  organization: { id: "o1", name: "Default" },
  location: { id: "l1", name: "fra", lastSeenAt: AT - 61_000 },
  at: AT,
};

export const connected: LocationNotice = {
  ...silent,
  type: "location.connected",
  location: { ...silent.location, lastSeenAt: AT },
};

export const started: MaintenanceNotice = {
  type: "maintenance.started",
  organization: { id: "o1", name: "Default" },
  maintenance: {
    id: "w1",
    title: "New disks",
    message: "The disks of both database servers are replaced.",
    startsAt: AT,
    endsAt: AT + 30 * 60_000,
  },
  monitors: [
    { id: "m1", name: "Shop front", type: "HTTP" },
    { id: "m2", name: "Nightly backup", type: "SCHEDULED" },
  ],
  monitorCount: 2,
  at: AT,
};

export const ended: MaintenanceNotice = {
  ...started,
  type: "maintenance.ended",
  maintenance: { ...started.maintenance, message: null },
  at: AT + 20 * 60_000,
};

export const blind: BlindnessNotice = {
  type: "checks.blind",
  organization: { id: "o1", name: "Default" },
  since: AT - 140_000,
  monitors: [{ id: "m1", name: "Shop front", type: "HTTP" }],
  monitorCount: 3,
  at: AT,
};

export const resumed: BlindnessNotice = {
  ...blind,
  type: "checks.resumed",
  monitorCount: 1,
  at: AT + 60_000,
};

export const notices = { silent, connected, blind, resumed, started, ended };
