import type { Recorded, Said } from "../judge/run.ts";
import type { Monitor } from "../scenario.ts";

/** The status of a monitor that only probes: what so many checks in a row agree on. */
export class StatusOfPeer {
  readonly results: Recorded[] = [];
  current: string | undefined;
  private agreeing = 0;

  /** @param say called for each change, and for a first status that is bad */
  constructor(
    private readonly monitor: Monitor,
    private readonly say: (said: Said) => void,
  ) {}

  record({ status, createdAt }: Recorded): void {
    const last = this.results.at(-1);
    this.agreeing = (last?.seen ?? last)?.status === status ? this.agreeing + 1 : 0;
    const { confirmations = 0, recoveries = 0 } = this.monitor;
    const isFirst = this.current === undefined;
    const isChange =
      status !== this.current && this.agreeing >= (status === "up" ? recoveries : confirmations);
    if (!isFirst && status !== this.current && !isChange) {
      this.results.push({ status: this.current ?? status, seen: { status }, createdAt });
      return;
    }
    this.results.push({ status, createdAt });
    this.current = status;
    if (isFirst ? status === "up" : !isChange) return;
    this.say({ status, at: Date.now(), checkedAt: createdAt, id: crypto.randomUUID() });
  }
}
