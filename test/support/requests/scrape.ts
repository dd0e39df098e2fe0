import type { Client } from "./client.ts";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses `/metrics` as Prometheus does. @throws on a line that is not in its text format, and on a duplicate series */
export async function scrape({ url, key }: Client) {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  const types: Record<string, string> = {};
  const samples: Sample[] = [];
  const series = new Set<string>();
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types[name] = type;
    if (line === "" || line.startsWith("#")) continue;
    const [, of, id = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (of === undefined) throw new Error(`not a line of the text format: ${line}`);
    if (series.has(of + id)) throw new Error(`duplicate series: ${line}`);
    series.add(of + id);
    samples.push({ name: of, labels: labelsOf(id), value: Number(value?.replace("+Inf", "Infinity")) });
  }
  return { status: response.status, contentType: response.headers.get("content-type"), text, types, samples };
}

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
  return Object.fromEntries(pairs.map(([, name, value = ""]) => [name, unescaped(value)]));
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, letter) => (letter === "n" ? "\n" : letter));
}
