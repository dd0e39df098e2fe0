import type { DeliberateFault } from "../fault.ts";
import { WHOLE } from "../worlds.ts";

const BINDINGS = "store/alerts/bindings.ts";
const RESTART_STATES = "store/monitors/restart-states.ts";

/** Changes of monitors and bindings in the middle of trouble, incidents of receivers, reports and pages. */
export const CHANGE_FAULTS: DeliberateFault[] = [
  {
    name: "other-key",
    seam: "incident of a receiver × pause",
    effect: "the end of an incident has another key than its beginning",
    edits: [
      {
        file: "domain/alerts/alert-event.ts",
        from: "return open ?? outage?.id ?? `monitor-${monitor.id}`;",
        to: "return outage?.id ?? `monitor-${monitor.id}`;",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 7, rule: "an incident ends with its cause" },
  },
  {
    name: "open-after-unbinding",
    seam: "incident of a receiver × unbound channel",
    effect: "an incident stays open when its monitor is unbound from the channel",
    edits: [
      {
        file: BINDINGS,
        from: 'await closeIncidents(tx, { monitorPks, channelPk: channel }, "unbound");',
        to: "",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 4, rule: "an incident ends with its cause" },
  },
  {
    name: "open-after-deletion",
    seam: "incident of a receiver × deletion",
    effect: "an incident stays open when its monitor is deleted",
    edits: [
      {
        file: "store/monitors/monitors.ts",
        from: 'await closeIncidents(tx, { monitorPks: pks }, "deleted");',
        to: "",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 4, rule: "an incident ends with its cause" },
  },
  {
    name: "short-alert",
    seam: "Alertmanager × outage that lasts",
    effect: "an alert ends five minutes after its notification, although its outage lasts",
    edits: [
      {
        file: "domain/alerts/services/alertmanager.ts",
        from: "endsAt: iso(endsAt ?? now + VALIDITY),",
        to: "endsAt: iso(endsAt ?? now + 300_000),",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 1, rule: "an incident lasts as long as its trouble" },
  },
  {
    name: "sent-after-unbinding",
    seam: "pending notification × unbound channel",
    effect: "a pending notification is sent to a channel that was unbound",
    edits: [
      {
        file: BINDINGS,
        from: '    await cancelPending(\n      tx,\n      { channelPks: [channel], monitorPks },\n      "the channel was unbound from the monitor",\n    );',
        to: "",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "sent-after-deletion",
    seam: "pending notification × deletion",
    effect: "a pending notification of a deleted monitor is sent",
    edits: [
      {
        file: "store/alerts/due-deliveries.ts",
        from: "(monitor_pk IS NULL OR EXISTS (SELECT 1 FROM monitors WHERE monitors.pk = deliveries.monitor_pk))",
        to: "true",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "old-due-time",
    seam: "edit of the interval × next check",
    effect: "a monitor with a shorter interval waits for the slot that it had before",
    edits: [
      {
        file: RESTART_STATES,
        from: "revised.map(({ monitor: { pk }, plan: { nextCheckAt, locations } }) => {",
        to: "revised.map(({ monitor: { pk, enabled }, plan: { nextCheckAt: due, enabled: isEnabled, locations } }) => {\n      const nextCheckAt = enabled === isEnabled ? undefined : due;",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 1, rule: "each outage is kept" },
  },
  {
    name: "outage-in-a-pause",
    seam: "pause × open outage",
    effect: "an outage lasts on while its monitor is paused",
    edits: [
      {
        file: RESTART_STATES,
        from: "  await endOutages(tx, pksOf(revised.filter(({ plan }) => plan.isPaused)));",
        to: "",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "down-to-the-end",
    seam: "outage that gets better × downtime",
    effect: "a warning after a short time down counts as downtime",
    edits: [
      {
        file: "domain/monitors/planned-result.ts",
        from: "if (!after.outage || isDown(before) === isDown(after)) return NOTHING;",
        to: "if (!after.outage || isDown(before)) return NOTHING;",
      },
    ],
    world: WHOLE,
    caughtBy: null,
  },
  {
    name: "reported-windows",
    seam: "monthly report × windows",
    effect: "the downtime of a report includes the time in windows",
    edits: [
      {
        file: "domain/reports/monthly-report.ts",
        from: "const down = without(downSpans(history.type, outage, month.to), maintenance);",
        to: "const down = downSpans(history.type, outage, month.to);",
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 5, rule: "the downtime of a report is true" },
  },
  {
    name: "quiet-page",
    seam: "public page × warning",
    effect: "a page shows a component with a warning as operational",
    edits: [
      {
        file: "domain/pages/component-status.ts",
        from: 'warning: "degraded_performance",',
        to: 'warning: "operational",',
      },
    ],
    world: WHOLE,
    caughtBy: { seed: 2, rule: "a public page is true" },
  },
];
