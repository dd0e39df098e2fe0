/** Something that a lifetime closes at its end. */
export interface Closable {
  close(): void;
}

/**
 * The time for which a check, or a part of it, may hold what it opened. An `AbortSignal` does the same, but takes longer
 * than all other work of a check.
 */
export class Lifetime implements Closable {
  isOver = false;
  /** Most lifetimes have one or two. */
  private readonly opened: Closable[] = [];

  /** @throws if it is over */
  assertOngoing(): void {
    if (this.isOver) throw new Error("the check has ended");
  }

  /** @param opened closed at the end, or at once if that is past */
  add(opened: Closable): void {
    if (this.isOver) opened.close();
    else this.opened.push(opened);
  }

  /** Closes everything, in the order in which it was added. Later calls have no effect. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const opened of this.opened) opened.close();
  }
}
