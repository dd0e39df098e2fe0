const UNITS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** A duration as Go writes it, such as `1h30m` or `1.5s`. @returns milliseconds; undefined for any other text */
export function parseGoDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (text === "" || text.replaceAll(PART, "") !== "") return undefined;
  return text
    .matchAll(PART)
    .reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}
