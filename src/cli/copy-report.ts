import type { CopyProgress } from "../store/copy.ts";

export interface CopyReport {
  show(progress: CopyProgress): void;
  /** Ends the bar. */
  end(): void;
}

const WIDTH = 30;

/** From the start of the line to its end, so that the next bar replaces this one. */
const LINE_START = "\r";
const CLEAR_TO_END = "\x1b[K";

/** Shows a bar on a terminal, and elsewhere a line for each table that has rows. */
export function createCopyReport(write: (text: string) => void, isTerminal: boolean): CopyReport {
  return isTerminal ? barOn(write) : linesOn(write);
}

function barOn(write: (text: string) => void): CopyReport {
  let last = "";
  return {
    show(progress) {
      const text = `${LINE_START}${barOf(progress)}${CLEAR_TO_END}`;
      if (text !== last) write(text);
      last = text;
    },
    end() {
      if (last !== "") write(LINE_START + CLEAR_TO_END);
    },
  };
}

function barOf({ step, share }: CopyProgress): string {
  const full = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${"#".repeat(full)}${" ".repeat(WIDTH - full)}] ${percent} % ${titleOf(step)}`;
}

function linesOn(write: (text: string) => void): CopyReport {
  return {
    show({ step, done, total }) {
      if (done === total && total > 0) write(`${titleOf(step)}: ${rows(total)}\n`);
    },
    end() {},
  };
}

function titleOf(step: CopyProgress["step"]): string {
  return step.replaceAll("_", " ");
}

export function rows(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
}
