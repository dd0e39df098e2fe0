import type { LocationNotice } from "../../../src/domain/alerts/alert-event.ts";
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

export const notices = { silent, connected };
