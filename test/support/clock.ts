/** Shifts the wall clock of this process until the end of the `using` block. */
export function shiftClock(milliseconds: number): Disposable {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [value: number | string | Date]) {
      super(...((given.length > 0 ? given : [RealDate.now() + milliseconds]) as [number]));
    }

    /** A date that was created before the shift is an instance too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof RealDate;
    }

    static override now(): number {
      return RealDate.now() + milliseconds;
    }
  } as DateConstructor;
  return {
    [Symbol.dispose]() {
      globalThis.Date = RealDate;
    },
  };
}
