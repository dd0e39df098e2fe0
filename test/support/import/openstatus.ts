import { expect } from "bun:test";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import type { Imported } from "../../../src/import/imported.ts";
import { readOpenstatus } from "../../../src/import/openstatus/given.ts";
import { importOpenstatus } from "../../../src/import/openstatus/openstatus.ts";

/** Imports a file of openstatus, with its secrets, and asserts that what it becomes can be applied. */
export function fromOpenstatus(value: unknown, now = Date.parse("2026-11-29T06:00:00Z")): Imported {
  const given = readOpenstatus(value);
  if (!given) throw new Error("it is no file of openstatus");
  const imported = importOpenstatus(given, { withSecrets: true, now });
  expect(parseDocument(imported.document).faults).toEqual([]);
  return imported;
}

/** A monitor as version 1 of the API answers it. */
export function listedMonitor(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 7, periodicity: "1m", url: "https://shop.example.com/", regions: [], name: "Shop" },
    ...{ externalName: null, description: "", method: "GET", body: "", headers: [], assertions: [] },
    ...{ active: true, public: false, degradedAfter: null, timeout: 45_000, retry: 3 },
    ...{ followRedirects: true, jobType: "http", ...fields },
  };
}

/** The monitor for a monitor of openstatus, and the lines about its parts. @param fields of version 1 of the API */
export function monitorOf(fields: Record<string, unknown>) {
  const { document, omitted } = fromOpenstatus({ monitors: [listedMonitor(fields)], notifications: [] });
  return {
    monitor: Object.values(document.monitors ?? {})[0],
    omitted: omitted.map(({ what, why }) => `${what}: ${why}`),
  };
}
