import type { Recording } from "../../domain/monitors/recording-plan.ts";
import { hourOf } from "../../domain/results/rollup.ts";

/**
 * Splits events into batches that can be planned at once: all events of one monitor are of the same hour, because its
 * baseline is loaded for one hour, and a claimed event is the first of its monitor, because its claim is compared with
 * the stored state.
 */
export function splitEvents(events: readonly Recording[]): Recording[][] {
  const batches: Recording[][] = [];
  let batch: Recording[] = [];
  let hours = new Map<string, number>();
  for (const event of events) {
    const hour = hourOf(event.at);
    const known = hours.get(event.monitorId);
    if (known !== undefined && (known !== hour || event.claim !== undefined)) {
      batches.push(batch);
      [batch, hours] = [[], new Map()];
    }
    hours.set(event.monitorId, hour);
    batch.push(event);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
