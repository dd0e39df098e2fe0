import type { Monitor } from "../scenario.ts";

/** A request to blackbox_exporter in place of a monitor. */
export interface Probe {
  /** A module of its configuration. */
  module: Record<string, unknown>;
  target: string;
}

interface World {
  /** A file with the authority that is trusted. */
  authority: string;
  /** The DNS server, as host:port. */
  dns: string;
}

type Config = Record<string, unknown>;

/** @returns undefined if it has nothing for one of the fields of the monitor */
export function moduleOf({ type, config }: Monitor, world: World): Probe | undefined {
  const { interval, timeout = interval, ...fields } = config;
  const module = byType[type]?.(fields, world);
  return module && { ...module, module: { ...module.module, timeout: `${timeout}s` } };
}

const byType: Partial<Record<Monitor["type"], (fields: Config, world: World) => Probe | undefined>> = {
  HTTP({ url, ...fields }, { authority }) {
    const { method, headers, body, redirects = 0, verifyTls = true, expect, ...others } = fields;
    const expected = expectedOf(expect as Config | undefined);
    if (!expected || Object.keys(others).length > 0) return undefined;
    const http = {
      ...expected,
      ...given({ method, headers, body }),
      follow_redirects: redirects !== 0,
      tls_config: { ca_file: authority, insecure_skip_verify: !verifyTls },
    };
    return { target: String(url), module: { prober: "http", http } };
  },
  TCP({ host, port, send, contains, ...others }) {
    if (Object.keys(others).length > 0) return undefined;
    const steps = [
      ...(send === undefined ? [] : [{ send }]),
      ...texts(contains).map((text) => ({ expect: escaped(text) })),
    ];
    return { target: addressOf(host, port), module: { prober: "tcp", tcp: { query_response: steps } } };
  },
  /** Any certificate counts, and its end is read. */
  TLS({ host, port, ...others }, { authority }) {
    if (Object.keys(others).length > 0) return undefined;
    const tcp = { tls: true, tls_config: { ca_file: authority, insecure_skip_verify: true } };
    return { target: addressOf(host, port), module: { prober: "tcp", tcp } };
  },
  DNS({ hostname, recordType = "A", servers, expected, ...others }, { dns }) {
    const [server = dns, ...more] = (servers as string[] | undefined) ?? [];
    if (more.length > 0 || Object.keys(others).length > 0) return undefined;
    const record = `\\sIN\\s+${recordType}\\s+`;
    const values = texts(expected).map((value) => `${record}${escaped(value)}`);
    const fail_if_none_matches_regexp = values.length > 0 ? values : [record];
    const query = { query_name: hostname, query_type: recordType };
    const answer = { fail_if_none_matches_regexp };
    return { target: server, module: { prober: "dns", dns: { ...query, validate_answer_rrs: answer } } };
  },
};

/** Without an expectation, any answer counts. */
function expectedOf(expect: Config | undefined): Config | undefined {
  if (!expect) return { valid_status_codes: codes("100-999") };
  const { status = ["2xx"], contains, lacks, headers = {}, ...others } = expect;
  if (Object.keys(others).length > 0) return undefined;
  return {
    valid_status_codes: [status].flat().flatMap((one) => codes(String(one))),
    fail_if_body_not_matches_regexp: texts(contains).map(escaped),
    fail_if_body_matches_regexp: texts(lacks).map(escaped),
    fail_if_header_not_matches: Object.entries(headers as object).map(([header, text]) => ({
      header,
      regexp: escaped(String(text)),
    })),
  };
}

/** @param range such as `200`, `2xx` or `200-204` */
function codes(range: string): number[] {
  const [from = "", to = from] = range.split("-");
  const [first, last] = [Number(from.replace("xx", "00")), Number(to.replace("xx", "99"))];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function texts(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function addressOf(host: unknown, port: unknown): string {
  return String(host).includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function given(fields: Config): Config {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
