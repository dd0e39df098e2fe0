import { expect } from "bun:test";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import type { Imported } from "../../../src/import/imported.ts";
import { importUptimeRobot } from "../../../src/import/uptimerobot/uptimerobot.ts";

type Fields = Record<string, unknown>;

export const NOW = Date.parse("2026-11-29T06:00:00Z");

/** A monitor as version 3 of the API of UptimeRobot lists it. */
export function listedMonitor(fields: Fields = {}): Fields {
  return {
    ...{ type: "HTTP", interval: 300, sslBrand: null, sslExpiryDateTime: null, domainExpireDate: null },
    ...{ checkSSLErrors: true, sslExpirationReminder: false, domainExpirationReminder: false },
    ...{ followRedirections: true, authType: "NONE", customHttpHeaders: null, httpMethodType: "GET" },
    ...{ successHttpResponseCodes: ["2xx", "3xx"], timeout: 30, postValueData: null, postValueType: null },
    ...{ port: null, gracePeriod: null, keywordValue: null, keywordCaseType: null, keywordType: null },
    ...{
      responseTimeThreshold: 0,
      config: null,
      maintenanceWindows: [],
      psps: [],
      id: 7,
      friendlyName: "Shop",
    },
    ...{
      status: "UP",
      url: "https://shop.example.com/",
      currentStateDuration: 1,
      lastIncidentId: null,
      userId: 1,
    },
    ...{ tags: [], assignedAlertContacts: [], lastDayUptimes: { bucketSize: 3600, histogram: [] } },
    ...{ createDateTime: "2026-01-02T03:04:05.000Z", apiKey: null },
    ...fields,
  };
}

/** A monitor as version 2 of the API lists it. */
export function oldMonitor(fields: Fields = {}): Fields {
  return {
    ...{ id: 7, friendly_name: "Shop", url: "https://shop.example.com/", type: 1, sub_type: "" },
    ...{
      keyword_type: null,
      keyword_case_type: null,
      keyword_value: "",
      http_username: "",
      http_password: "",
    },
    ...{ port: "", interval: 300, timeout: 30, status: 2, create_datetime: 1_462_565_497 },
    ...fields,
  };
}

/** Imports answers with their secrets, and asserts that what they become can be applied. */
export function fromAnswers(...answers: unknown[]): Imported {
  const imported = importUptimeRobot(answers, { withSecrets: true, now: NOW });
  const { faults } = parseDocument(imported.document);
  expect(faults.filter(({ message }) => !message.includes("${"))).toEqual([]);
  return imported;
}

/** The only monitor of an account, and the lines about it. */
export function monitorFrom(monitor: Fields) {
  const answer = "friendly_name" in monitor ? { stat: "ok", monitors: [monitor] } : { data: [monitor] };
  const { document, omitted, notes } = fromAnswers(answer);
  const lines = omitted.map(({ what, why }) => `${what}: ${why}`);
  return {
    monitor: Object.values(document.monitors ?? {})[0],
    lines,
    notes,
    lost: omitted.some(({ lost }) => lost),
  };
}
