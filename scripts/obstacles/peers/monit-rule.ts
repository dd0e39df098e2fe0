import type { Monitor } from "../scenario.ts";

type Config = Record<string, unknown>;

/**
 * The configuration of monit for a monitor (monit(1)).
 *
 * @param authority a file with the authority that is trusted
 * @returns undefined if it has nothing for one of the fields of the monitor
 */
export function ruleOf(monitor: Monitor, authority: string): string | undefined {
  const { type, config, confirmations = 0, recoveries = 0 } = monitor;
  const { interval, timeout = interval, ...fields } = config;
  const test = byType[type]?.(fields, authority);
  if (!test) return undefined;
  return `
set daemon ${interval}
check host it with address "${test.host}"
  if failed port ${test.port} ${test.how} with timeout ${timeout} seconds for ${confirmations + 1} cycles then alert
  else if succeeded for ${recoveries + 1} cycles then alert
`;
}

interface Test {
  host: string;
  port: unknown;
  how: string;
}

const byType: Partial<Record<Monitor["type"], (fields: Config, authority: string) => Test | undefined>> = {
  HTTP({ url, ...fields }, authority) {
    const { method = "GET", redirects = 0, verifyTls = true, expect, ...others } = fields;
    const expected = expectedOf(expect as Config | undefined);
    const isKnown = redirects === 0 && (method === "GET" || method === "HEAD");
    if (!expected || !isKnown || Object.keys(others).length > 0) return undefined;
    const { protocol, hostname, port, pathname } = new URL(String(url));
    const isTls = protocol === "https:";
    const ssl = isTls
      ? `with ssl options {verify: ${verifyTls ? "enable" : "disable"}, CACertificateFile: "${authority}"}`
      : "";
    const how = `protocol ${isTls ? "https" : "http"} method ${method} request "${pathname}" ${expected} ${ssl}`;
    return { host: hostname.replace(/^\[|\]$/g, ""), port, how };
  },
  TCP({ host, port, send, contains, ...others }) {
    if (Object.keys(others).length > 0) return undefined;
    const texts = contains === undefined ? [] : [contains].flat().map(String);
    const steps = [
      ...(send === undefined ? [] : [`send ${quoted(String(send))}`]),
      ...texts.map((text) => `expect ${quoted(text)}`),
    ];
    return { host: String(host), port, how: `type tcp ${steps.join(" ")}` };
  },
};

/** It knows one status and one text. Without an expectation, any answer counts. */
function expectedOf(expect: Config | undefined): string | undefined {
  if (!expect) return "status > 0";
  const { contains, lacks, ...others } = expect;
  const texts = [
    ...(contains === undefined ? [] : [`content = ${quoted(String(contains))}`]),
    ...(lacks === undefined ? [] : [`content != ${quoted(String(lacks))}`]),
  ];
  if (Object.keys(others).length > 0 || texts.length > 1) return undefined;
  return ["status < 300", ...texts].join(" ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
