import { AppError } from "../../errors.ts";

/** Behavior 16.6. @throws AppError `invalid` */
export function assertSameType(stored: string, requested: string): void {
  if (stored === requested) return;
  throw new AppError("invalid", `type must be ${stored}: the type of what exists cannot change`);
}
