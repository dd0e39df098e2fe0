/** Metrics that are read on request. Those named `_total` are counters. */
export interface Gauges {
  [name: string]: { help: string; values: { labels?: Record<string, string>; value: number }[] };
}

/** The text format of Prometheus. Its client library is several times slower for thousands of series. */
export function formatGauges(gauges: Gauges): string {
  return Object.entries(gauges)
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
