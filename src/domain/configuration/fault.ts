import { AppError, type ErrorKind } from "../../errors.ts";

/** Something that is wrong in a document. */
export interface Fault {
  /** Where, such as `monitors.shop.config.url`; as in the messages of the API. */
  path: string;
  /** What would be right, in words that follow the path: `must be …`, `is required`. */
  message: string;
  /** The wrong text, if it is short and not a secret. */
  got?: string;
}

/** The most faults in one error. */
export const MOST_FAULTS = 100;

/** A document can't be applied. Its message has all faults. */
export class FaultsError extends AppError {
  /** @param faults at least one */
  constructor(
    readonly faults: readonly Fault[],
    kind: Extract<ErrorKind, "invalid" | "limit_reached"> = "invalid",
  ) {
    super(kind, faults.map(({ path, message }) => `${path}: ${message}`).join("; "));
  }
}
