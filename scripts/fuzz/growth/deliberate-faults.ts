import type { DeliberateFault } from "../../simulator/deliberate-faults/fault.ts";

/** A reader of the product that takes quadratic time. @property shape the input that shows it */
export interface QuadraticFault extends Pick<DeliberateFault, "name" | "effect" | "edits"> {
  shape: string;
}

export const QUADRATIC_FAULTS: readonly QuadraticFault[] = [
  {
    name: "trimmed-by-expression",
    effect: "spaces around the value of a header are removed by a regular expression",
    shape: "http spaces in a header",
    edits: [
      {
        file: "probes/http/response-parser.ts",
        from: "  let [start, end] = [0, text.length];\n",
        to: '  if (text) return text.replace(/^[ \\t]+|[ \\t]+$/g, "");\n  let [start, end] = [0, text.length];\n',
      },
    ],
  },
  {
    name: "joined-again",
    effect: "a DNS answer over TCP is joined again with each piece",
    shape: "dns message over TCP in single bytes",
    edits: [
      {
        file: "probes/dns/dns-exchange.ts",
        from: "if (received < end) return;\n    const read",
        to: "if (received < 2) return;\n    const read",
      },
    ],
  },
  {
    name: "searched-again",
    effect: "all that a TCP server sent is searched again with each piece",
    shape: "tcp greeting in single bytes",
    edits: [{ file: "probes/tcp.ts", from: "Math.max(0, searched.length - wanted.length + 1)", to: "0" }],
  },
];

/** @throws Error if there is no such fault */
export function quadraticFault(name: string): QuadraticFault {
  const fault = QUADRATIC_FAULTS.find((one) => one.name === name);
  const names = QUADRATIC_FAULTS.map((one) => one.name).join(", ");
  if (!fault) throw new Error(`--fault must be one of ${names}, got ${name}`);
  return fault;
}
