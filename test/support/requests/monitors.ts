import type { Client } from "./client.ts";

/** A config of each type. The interval is a day, so that only the first check runs within a test. */
export const configs = {
  HTTP: { url: "http://127.0.0.1:1/", interval: 86_400 },
  TCP: { host: "127.0.0.1", port: 1, interval: 86_400 },
  TLS: { host: "127.0.0.1", port: 1, interval: 86_400 },
  DNS: { hostname: "localhost", interval: 86_400 },
  SCHEDULED: { interval: 300 },
} as const;

export type Type = keyof typeof configs;

export function newMonitor(type: Type, changes: object = {}) {
  return { name: `a ${type} monitor`, type, config: configs[type], ...changes };
}

/** Creates a monitor. @returns the data of the response */
export async function createMonitor(client: Client, type: Type, changes: object = {}) {
  const { status, body } = await client.post("/api/v1/monitors", newMonitor(type, changes));
  if (status !== 201) throw new Error(`the monitor was not created: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

export async function createChannel(client: Client, changes: object = {}) {
  const channel = {
    name: "a channel",
    type: "WEBHOOK",
    config: { url: "http://127.0.0.1:1/hook" },
    ...changes,
  };
  const { status, body } = await client.post("/api/v1/alerts", channel);
  if (status !== 201) throw new Error(`the channel was not created: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Checks in once for each word, one after another. */
export async function checkIn(client: Client, monitorId: string, ...words: ("ok" | "fail")[]): Promise<void> {
  for (const word of words) await client.get(`/api/v1/monitors/${monitorId}/checkin?status=${word}`);
}
