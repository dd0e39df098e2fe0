import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { type ReportOmission, textOf } from "../imported.ts";
import type { Environment, Secrets } from "../output-config.ts";
import { written } from "./variables.ts";

/** A site of Upptime, with what its monitor needs. */
export interface Site {
  /** The ref of its monitor. */
  ref: string;
  fields: Record<string, unknown>;
  /** Seconds. */
  interval: number;
  env: Environment;
  /** The only secrets that Upptime knows; undefined if the file does not list them. */
  known: ReadonlySet<string> | undefined;
  secrets: Secrets;
  omit: ReportOmission;
  /** A sentence about what was taken over. */
  note: (sentence: string) => void;
}

export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
}

export interface Refusal {
  refusal: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

/** Seconds that Upptime waits for an answer. */
export const USUAL_TIMEOUT = 60;

/** A field as a document writes it. */
export function textIn({ fields, known }: Site, name: string): string {
  return written((textOf(fields[name]) ?? "").trim(), known);
}

/** Whether a field is set, as JavaScript reads it. */
export function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

/** A positive number, which may be written as a text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
