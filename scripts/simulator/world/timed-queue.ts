/** Something that happens at a time. `cancelled` ones stay in the queue and are skipped. */
export interface TimedEvent {
  at: number;
  order: number;
  run: () => void;
  cancelled: boolean;
}

/** A priority queue by time; events of the same time are in the order in which they were added. */
export class TimedQueue {
  #heap: TimedEvent[] = [];
  #added = 0;

  add(at: number, run: () => void): TimedEvent {
    const event = { at, order: this.#added++, run, cancelled: false };
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (!above || isBefore(above, event)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
    return event;
  }

  /** The time of the first event; infinite without any. */
  next(): number {
    while (this.#heap[0]?.cancelled) this.take();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Removes the first event. */
  take(): TimedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first && last && first !== last) this.#sink(last);
    return first;
  }

  #sink(event: TimedEvent): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const child = this.#earlierChild(place);
      const below = heap[child];
      if (!below || isBefore(event, below)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = event;
  }

  #earlierChild(place: number): number {
    const left = 2 * place + 1;
    const [a, b] = [this.#heap[left], this.#heap[left + 1]];
    return a && b && isBefore(b, a) ? left + 1 : left;
  }
}

function isBefore(a: TimedEvent, b: TimedEvent): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
