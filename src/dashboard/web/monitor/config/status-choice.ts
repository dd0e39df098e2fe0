import type { Config } from "../../data/api.ts";
import { rawTextOf } from "../../form/form-values.ts";

export type StatusChoice = "success" | "listed" | "any";

const SUCCESS = "2xx";
/** The same statuses, for a config that has expectations and leaves out `status`. */
const DEFAULT = "default";
/** Any answer, beside other expectations. Without these, there is no `expect` at all. */
const EVERY_STATUS = "100-599";

/** `expect` of a config by field; empty without it. */
export function expectationsOf(expect: unknown): Config {
  return (expect ?? {}) as Config;
}

/** The choice that shows the expectations of a config. @returns also the value of the radio button of `success` */
export function statusChoiceOf(expect: unknown): { choice: StatusChoice; success: string } {
  if (expect === undefined) return { choice: "any", success: SUCCESS };
  const { status, ...others } = expectationsOf(expect);
  if (status === undefined) return { choice: "success", success: DEFAULT };
  const shown = String(status);
  if (shown === SUCCESS) return { choice: "success", success: SUCCESS };
  const isAny = shown === EVERY_STATUS && Object.keys(others).length > 0;
  return { choice: isAny ? "any" : "listed", success: SUCCESS };
}

export function showStatuses(expect: unknown): string {
  const { status } = expectationsOf(expect);
  return Array.isArray(status) ? status.join(", ") : "";
}

/** The expectations of a form, with the statuses that were chosen. @param others all other expectations */
export function withStatus(data: FormData, others: object): object | undefined {
  const choice = data.get("up");
  if (choice === SUCCESS) return { status: [SUCCESS], ...others };
  if (choice === DEFAULT) return others;
  if (choice === "listed") return { status: readStatuses(data), ...others };
  return Object.keys(others).length > 0 ? { status: [EVERY_STATUS], ...others } : undefined;
}

function readStatuses(data: FormData): (number | string)[] {
  const words = (rawTextOf(data, "config.expect.status") ?? "").split(/[\s,]+/).filter(Boolean);
  return words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
}
