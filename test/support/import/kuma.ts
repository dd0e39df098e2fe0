import { expect } from "bun:test";
import { printConfiguration } from "../../../src/configuration-file/print.ts";
import { readConfiguration } from "../../../src/configuration-file/read.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import type { Imported } from "../../../src/import/imported.ts";
import { type KumaData, NO_DATA, type Row } from "../../../src/import/kuma/fields.ts";
import { importKuma } from "../../../src/import/kuma/import-kuma.ts";

export const NOW = Date.parse("2026-11-22T19:00:00Z");

/** A monitor as Uptime Kuma creates it. */
export function kumaMonitor(fields: Row): Row {
  return {
    ...{ id: 1, name: "Shop", type: "http", url: "https://shop.example.com/", active: 1, interval: 60 },
    ...{
      method: "GET",
      maxretries: 0,
      retry_interval: 60,
      resend_interval: 0,
      maxredirects: 10,
      timeout: 48,
    },
    ...{ accepted_statuscodes_json: '["200-299"]', ignore_tls: 0, upside_down: 0, expiry_notification: 0 },
    ...{ http_body_encoding: "json", weight: 2000, parent: null, push_token: null, conditions: "[]" },
    ...fields,
  };
}

/** The result of an import with secrets. Asserts that a server accepts its document after it was written and read. */
export function importedFrom(data: Partial<KumaData>): Imported {
  const imported = importKuma({ ...NO_DATA, ...data }, { withSecrets: true, now: NOW });
  const { value, faults } = readConfiguration(printConfiguration(imported.document), {});
  expect([...faults, ...parseDocument(value).faults]).toEqual([]);
  return imported;
}

/** As `importedFrom`, but the document is not written, which takes most of the time. */
export function expectUsable(data: Partial<KumaData>): void {
  const { document } = importKuma({ ...NO_DATA, ...data }, { withSecrets: true, now: NOW });
  expect(parseDocument(finalTexts(document)).faults).toEqual([]);
}

function finalTexts(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("$${", () => "${");
  if (Array.isArray(value)) return value.map(finalTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, finalTexts(field)]));
}

/** The only monitor that a row gives, or why it gives none. */
export function monitorOf(fields: Row): Record<string, unknown> | string {
  const { document, omitted } = importedFrom({ monitors: [kumaMonitor(fields)] });
  return (
    Object.values(document.monitors ?? {})[0] ?? omitted.map(({ what, why }) => `${what}: ${why}`).join("\n")
  );
}
