import { isIPv4, isIPv6 } from "../../domain/network/client-address.ts";
import { hostAndPort, portOf, timeoutField, timeoutOf } from "../check-fields.ts";
import { addressOf } from "../http-fields.ts";
import { textOf } from "../imported.ts";
import { secretText } from "../output-config.ts";
import { mapHttp } from "./http-site.ts";
import { isTrue, type Mapped, numberOf, type Refusal, type Site, textIn, USUAL_TIMEOUT } from "./site.ts";

/** By the value of `check`. Every other value is `http`. */
const CHECKS = new Map<string, (site: Site) => Mapped | Refusal>([
  ["tcp-ping", mapConnection],
  ["ws", mapWebSocket],
  ["ssl", mapCertificate],
]);

/** The fields of a request of HTTP and of its answer, from GitHub and from Globalping. */
const OF_ANSWER = [
  ...["method", "headers", "expectedStatusCodes", "maxResponseTime"],
  ...["__dangerous__body_down", "__dangerous__body_down_if_text_missing"],
  ...["__dangerous__body_degraded", "__dangerous__body_degraded_if_text_missing"],
];

/** The fields that a check uses, besides the fields of every site. */
const USED: Record<string, readonly string[]> = {
  http: [
    ...OF_ANSWER,
    ...["body", "maxRedirects", "maxRetries", "connectTimeout", "requestTimeout", "__dangerous__insecure"],
    ...["__dangerous__disable_verify_peer", "__dangerous__disable_verify_host"],
  ],
  "tcp-ping": ["port", "ipv6", "maxResponseTime", "maxRetries"],
  ws: ["body"],
  ssl: ["port"],
  "http of globalping": [...OF_ANSWER, "port", "ipv6"],
  "tcp-ping of globalping": ["ipv6", "maxResponseTime"],
  "ssl of globalping": ["port", "ipv6"],
};

/** The fields that every site has. The fields for the page of Upptime are reported once for the whole file. */
const COMMON = [
  ...["name", "url", "check", "type", "location", "slug", "tags", "icon", "assignees", "verbose"],
];

/** The monitor of a site (behavior 16.123). */
export function mapSite(site: Site): Mapped | Refusal {
  const { fields, omit } = site;
  const check = textOf(fields.check) ?? "http";
  const map = CHECKS.get(check) ?? mapHttp;
  if (map === mapHttp && check !== "http")
    omit(
      "check",
      `Upptime does not know ${JSON.stringify(check)}, and sends a request of HTTP, as stillup does`,
    );
  if (textOf(fields.url)?.trim() === undefined) return { refusal: "it has no url" };
  const isRemote = fields.type === "globalping";
  if (isRemote)
    omit("type", "stillup asks no other network: it checks from its server, or from locations of your own");
  const mapped = map(site);
  if ("refusal" in mapped) return mapped;
  const used = map === mapHttp ? "http" : check;
  omitFields(site, isRemote ? `${used} of globalping` : used);
  return mapped;
}

/** @param check a key of `USED` */
function omitFields({ fields, omit }: Site, check: string): void {
  const used = [...COMMON, ...(USED[check] ?? [])];
  const known = new Set([...COMMON, ...Object.values(USED).flat()]);
  for (const name of Object.keys(fields)) {
    if (used.includes(name)) continue;
    omit(
      name,
      known.has(name) ? `Upptime does not use it with ${check}` : "Upptime does not know this field",
    );
  }
  if (fields.maxRetries !== undefined && used.includes("maxRetries"))
    omit("maxRetries", "two further checks confirm a failure, as in Upptime, and each is one attempt");
}

/** Seconds that Upptime waits for a connection. */
const CONNECTION_TIMEOUT = 5;
const USUAL_PORT = 80;

/** `tcp-ping` opens connections; from Globalping, it sends pings. */
function mapConnection(site: Site): Mapped | Refusal {
  const { fields, interval, omit } = site;
  const isRemote = fields.type === "globalping";
  const target = hostOf(site, isRemote);
  if (typeof target !== "string") return target;
  if (numberOf(fields.maxResponseTime) !== undefined)
    omit("maxResponseTime", "a TCP monitor has no highest response time");
  if (isRemote) return { type: "TCP", config: { host: target, interval, protocol: "icmp" } };
  const port = portIn(site, USUAL_PORT);
  if (typeof port !== "number") return port;
  const isName = !isIPv4(target) && !isIPv6(target);
  const needsAll = isTrue(fields.ipv6) && isName;
  if (needsAll)
    omit(
      "ipv6",
      "a TCP monitor has no version of IP: each address is checked, and one that fails is Degraded",
    );
  const timeout = timeoutOf(CONNECTION_TIMEOUT, { interval, omit });
  const config = {
    ...{ host: target, port, interval },
    ...timeoutField({ timeout, interval }),
    ...(needsAll && { everyAddress: true }),
  };
  return { type: "TCP", config };
}

/** @param isUrl whether a URL is as good as a host */
function hostOf(site: Site, isUrl: boolean): string | Refusal {
  const given = textIn(site, "url");
  const address = isUrl ? given.replace(/^https?:\/\/([^/?#]*).*$/is, "$1").replace(/:\d+$/, "") : given;
  const bare = isIPv6(address) ? `[${address}]` : address;
  const target = hostAndPort(bare, site.env);
  if (target && target.port === undefined) return target.host;
  return { refusal: "its url is not a host or an IP address, so that it is always down in Upptime" };
}

function portIn(site: Site, usual: number): number | Refusal {
  const given = textIn(site, "port");
  if (given === "") return usual;
  return (
    portOf(given, site.env) ?? {
      refusal: given.includes("${")
        ? "its port is a variable that is not set: set it for the import too"
        : "its port is not a number from 1 to 65535",
    }
  );
}

/** `ws` is up if the WebSocket opens. */
function mapWebSocket(site: Site): Mapped | Refusal {
  const { fields, interval, omit, secrets, ref } = site;
  if (fields.type === "globalping") return { refusal: "Upptime has no check of a WebSocket from Globalping" };
  const given = textIn(site, "url");
  if (!/^(ws|http)s?:\/\//i.test(given))
    return {
      refusal: given.startsWith("${")
        ? "its url is a variable: write ws:// or wss:// in the file"
        : "its url is not of the form wss://HOST",
    };
  if (textOf(fields.body) !== undefined) omit("body", "stillup sends a ping, and no text");
  const { url, user } = addressOf(given.replace(/^ws/i, "http"));
  const timeout = timeoutOf(USUAL_TIMEOUT, { interval, omit });
  const config = {
    ...{ url, interval, protocol: "websocket" },
    ...(user && {
      basicAuth: { user: user.name, password: secretText(user.password, secrets, ref, "password") },
    }),
    ...timeoutField({ timeout, interval }),
  };
  return { type: "HTTP", config };
}

/** Days before the end of a certificate at which Upptime calls a site down. */
const WARN_DAYS = 7;
const HTTPS_PORT = 443;

/** `ssl` is a certificate that is valid for 7 more days. */
function mapCertificate(site: Site): Mapped | Refusal {
  const host = hostOf(site, site.fields.type === "globalping");
  if (typeof host !== "string") return host;
  const port = portIn(site, HTTPS_PORT);
  if (typeof port !== "number") return port;
  site.note(`a certificate that ends in ${WARN_DAYS} days is Expires soon, a warning; Upptime calls it down`);
  const config = {
    ...{ host, ...(port !== HTTPS_PORT && { port }) },
    ...{ interval: site.interval, warnDays: WARN_DAYS },
  };
  return { type: "TLS", config };
}
