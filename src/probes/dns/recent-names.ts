/** How long a generation lasts, in milliseconds: longer than a query and its retry. */
const GENERATION = 10_000;

/** Fewer silent names may all have the same broken server. */
const FEWEST = 10;

/** Names by whether they are silent. */
class Generation {
  readonly names = new Map<string, boolean>();
  silent = 0;

  constructor(readonly startedAt = Number.NEGATIVE_INFINITY) {}

  note(name: string, isSilent: boolean): void {
    if (this.names.get(name) === true) this.silent--;
    if (isSilent) this.silent++;
    this.names.set(name, isSilent);
  }
}

/** The names of the last 10 to 20 seconds, and which of them got no answer (behavior 4.20). */
export class RecentNames {
  private present = new Generation();
  private before = new Generation();

  constructor(private readonly now = () => performance.now()) {}

  /** @param isSilent whether the name has got no answer yet, within the time of one query */
  note(name: string, isSilent: boolean): void {
    this.age();
    this.present.note(name, isSilent);
  }

  /** Whether most of them are silent. Then the silence about one more name proves nothing about that. */
  areMostlySilent(): boolean {
    this.age();
    const silent = this.present.silent + this.before.silent;
    return silent >= FEWEST && silent > (this.present.names.size + this.before.names.size) / 2;
  }

  private age(): void {
    const now = this.now();
    const { startedAt } = this.present;
    if (now - startedAt < GENERATION) return;
    this.before = now - startedAt < 2 * GENERATION ? this.present : new Generation();
    this.present = new Generation(now);
  }
}
