import { AppError } from "../../errors.ts";

/** Bytes of all bodies with a key that are received at the same time (behavior 7.73). */
const ALL_BODIES = 64 * 1024 * 1024;

/** Seconds: a slow body is closed before. */
const RETRY_AFTER = 20;

/** The memory for bodies that are being received, which organizations share. */
export interface BodyMemory {
  /** Begins a body. Disposing it frees its bytes. */
  hold(organizationId: string): HeldBody;
}

export interface HeldBody extends Disposable {
  /** @throws AppError `unavailable` if the bodies of this organization or of all have too many bytes */
  add(bytes: number): void;
}

/**
 * An organization gets no more bytes than it leaves free: half of them if it is alone. So the slow bodies of one do not
 * keep out another.
 */
export function createBodyMemory(all = ALL_BODIES): BodyMemory {
  const held = new Map<string, number>();
  let total = 0;

  function change(organizationId: string, bytes: number): void {
    const own = (held.get(organizationId) ?? 0) + bytes;
    if (own === 0) held.delete(organizationId);
    else held.set(organizationId, own);
    total += bytes;
  }

  return {
    hold(organizationId) {
      let length = 0;
      return {
        add(bytes) {
          if ((held.get(organizationId) ?? 0) + bytes > all - total) throw tooManyBodies();
          length += bytes;
          change(organizationId, bytes);
        },
        [Symbol.dispose]: () => change(organizationId, -length),
      };
    },
  };
}

function tooManyBodies(): AppError {
  const message = "too many bodies are being received: try again later";
  return new AppError("unavailable", message, undefined, RETRY_AFTER);
}
