/**
 * The methods of the store that each suite of this folder covers, by the name of its file. Every suite fails if it does
 * not call one of its methods, and `coverage.test.ts` fails if a method of the store is in no list.
 */
export const coveredMethods = {
  accounts: [
    "organizations.create",
    "organizations.list",
    "organizations.update",
    "organizations.findSettings",
    "organizations.updateSettings",
    "organizations.isFirstStart",
    "organizations.createDefault",
    "apiKeys.create",
    "apiKeys.list",
    "apiKeys.update",
    "apiKeys.delete",
    "apiKeys.findCaller",
    "apiKeys.saveLastUses",
    "sessions.create",
    "sessions.delete",
    "sessions.findCaller",
  ],
  monitors: [
    "monitors.create",
    "monitors.find",
    "monitors.update",
    "monitors.delete",
    "monitors.pauseAll",
    "monitors.countStatuses",
    "monitors.listCertificateExpiries",
  ],
  channels: ["channels.create", "channels.list", "channels.find", "channels.update", "channels.delete"],
  recording: [
    "recording.record",
    "recording.syncResults",
    "deliveries.isSynced",
    "results.list",
    "results.listEvents",
    "checks.listDueSlots",
    "checks.findDue",
    "checks.recall",
  ],
  deliveries: [
    "deliveries.list",
    "deliveries.listDue",
    "deliveries.findPending",
    "deliveries.recordAttempts",
    "deliveries.countPending",
  ],
  notifications: [],
  heartbeats: [
    "heartbeats.listOverdue",
    "heartbeats.noteAlive",
    "heartbeats.excuseOutage",
    "heartbeats.recallDeadlines",
    "heartbeats.postponeDeadline",
  ],
  statistics: ["monitors.list", "monitors.listSnapshots", "monitors.findWorst", "monitors.findReport"],
  housekeeping: [
    "housekeeping.sweepDeletedMonitors",
    "housekeeping.sweepDeletedChannels",
    "housekeeping.pruneResults",
    "housekeeping.pruneRollups",
    "housekeeping.pruneDetails",
    "housekeeping.returnSpace",
    "housekeeping.lastSteady",
    "housekeeping.noteSteady",
  ],
} as const satisfies Record<string, readonly string[]>;

export type SuiteName = keyof typeof coveredMethods;
