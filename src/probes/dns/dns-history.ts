import type { DnsHistory } from "../probe-thread.ts";

/** Where the first answer is kept. */
interface Kept {
  /** Whether any process on the same database has stored an answer. */
  hasAnswer(): Promise<boolean>;
  storeAnswer(): Promise<void>;
}

/**
 * Knows whether a DNS server of the operator has ever answered this installation (behavior 4.18). An answer is stored once.
 *
 * @param onFault called if it can't be stored; the next start stores it
 */
export function createDnsHistory(
  { hasAnswer, storeAnswer }: Kept,
  onFault: (error: unknown) => void,
): DnsHistory {
  let isKnown = false;
  /** Concurrent checks share one read. */
  let reading: Promise<boolean> | undefined;

  async function read(): Promise<boolean> {
    try {
      isKnown ||= await hasAnswer();
      return isKnown;
    } catch {
      // A database that can't be read proves nothing about a target.
      return true;
    } finally {
      reading = undefined;
    }
  }

  async function store(): Promise<void> {
    try {
      if (!(await hasAnswer())) await storeAnswer();
    } catch (error) {
      onFault(error);
    }
  }

  return {
    answered() {
      if (isKnown) return;
      isKnown = true;
      void store();
    },
    async hasAnswered() {
      if (isKnown) return true;
      reading ??= read();
      return reading;
    },
  };
}
