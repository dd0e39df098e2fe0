/** Metrics that are read when they are asked for, and not counted before. Those named `_total` are counters. */
export interface Gauges {
  [name: string]: { help: string; values: { labels?: Record<string, string>; value: number }[] };
}

/**
 * In Prometheus' text format. Not by its library, which takes several times as long for thousands of series that are
 * read once.
 */
export function formatGauges(readings: Gauges): string {
  return Object.entries(readings)
    .map(([name, { help, values }]) => {
      const type = name.endsWith("_total") ? "counter" : "gauge";
      const samples = values.map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`;
    })
    .join("\n");
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
