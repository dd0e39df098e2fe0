import { type Confirmation, UNCONFIRMED } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";

/** What a new monitor is offered. */
export function offeredNumbers(type: MonitorType): Confirmation {
  return type === "HTTP" ? { ...UNCONFIRMED, confirmations: 1 } : UNCONFIRMED;
}

export function confirmationOf(data: FormData): Confirmation {
  return {
    confirmations: Number(data.get("confirmations") ?? 0),
    recoveries: Number(data.get("recoveries") ?? 0),
  };
}
