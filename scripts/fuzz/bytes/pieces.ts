import type { Draw } from "../../simulator/truth/draw.ts";

/** Where bytes are split: offsets in ascending order, or between all of them. */
export type Cuts = number[] | "all";

/** More bytes are rarely split everywhere, because each piece takes time. */
const SHORT = 200;

export function drawCuts(draw: Draw, length: number): Cuts {
  if (draw.chance(0.3) || length < 2) return [];
  if (draw.chance(length < SHORT ? 0.1 : 0.005)) return "all";
  const count = draw.whole(1, 4);
  const cuts = Array.from({ length: count }, () => draw.whole(1, length - 1));
  // Two cuts side by side split a token of two bytes, such as CRLF.
  if (draw.chance(0.3)) cuts.push((cuts[0] ?? 0) + 1);
  return [...new Set(cuts)].sort((a, b) => a - b);
}

/** The pieces of a text, none of them empty. */
export function split(text: string, cuts: Cuts): string[] {
  if (cuts === "all") return [...text];
  const ends = [...cuts.filter((at) => at > 0 && at < text.length), text.length];
  const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
  return pieces.filter((piece) => piece !== "");
}

/** Fewer cuts, and then each one alone left out. */
export function* simplerCuts(cuts: Cuts): Iterable<Cuts> {
  if (cuts.length > 0) yield [];
  if (cuts === "all") return;
  for (const at of cuts) yield [at];
  for (const at of cuts) yield cuts.filter((other) => other !== at);
}
