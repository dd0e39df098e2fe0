import { UsageError } from "../config.ts";
import { AppError, StorageFault } from "../errors.ts";
import { systemFault } from "../system-error.ts";

/** Why a command failed. @property isMisuse whether the command line or a setting is wrong */
export interface Failure {
  message: string;
  isMisuse: boolean;
}

/** @returns undefined for a fault of stillup itself */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof UsageError) return { message: error.message, isMisuse: true };
  if (error instanceof AppError) return { message: error.message, isMisuse: error.kind === "invalid" };
  if (error instanceof StorageFault) return { message: error.message, isMisuse: false };
  if ((error as NodeJS.ErrnoException).code === undefined) return undefined;
  return { message: systemFault(error as NodeJS.ErrnoException), isMisuse: false };
}
