import type { BatchAnswer, Recheck, Work, WorkItem } from "../domain/locations/protocol.ts";
import type { ProbedType } from "../domain/monitors/monitor.ts";

/*
 * Requirements for the answers of the server. A probe trusts what a monitor is to be checked for, but an answer that
 * something in between has changed must not end the process.
 */

export function isWork(value: unknown): value is Work {
  const { location, now, revision, monitors, rechecks, after } = Object(value);
  return (
    isText(location?.id) &&
    isText(location?.name) &&
    [now, revision, after].every(Number.isSafeInteger) &&
    (monitors === undefined || Array.isArray(monitors)) &&
    Array.isArray(rechecks)
  );
}

export function isBatchAnswer(value: unknown): value is BatchAnswer {
  const { now, recorded, repeated, ignored, refused } = Object(value);
  return [now, recorded, repeated, ignored, refused].every(Number.isSafeInteger);
}

const TYPES: Record<ProbedType, true> = { HTTP: true, TCP: true, TLS: true, DNS: true };

/** Whether this program can check the monitor. A newer server may have other types. */
export function isCheckable(item: unknown): item is WorkItem {
  const { monitorId, revision, type, config, offset } = Object(item);
  return (
    isText(monitorId) &&
    Object.hasOwn(TYPES, String(type)) &&
    [revision, offset, config?.interval].every(Number.isSafeInteger) &&
    config.interval > 0
  );
}

export function isRecheck(value: unknown): value is Recheck {
  const { monitorId, at } = Object(value);
  return isText(monitorId) && Number.isSafeInteger(at);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
