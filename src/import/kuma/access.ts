import { assertKeyPair } from "../../key-pair.ts";
import { faultIn } from "../checked.ts";
import { decoded } from "../imported.ts";
import { flagOf, idOf, numberOf, type OmittedPart, type Row, textIn } from "./fields.ts";

/** How a monitor gets to its server: with a sign-in, a certificate, or through a proxy (behavior 16.105). */
export interface Access {
  /** Fields of the config of an HTTP monitor. */
  config: Record<string, unknown>;
  omitted: OmittedPart[];
  notes: string[];
  /** Whether a check could only fail here, so that the monitor is created paused. */
  isPaused: boolean;
}

interface Given {
  proxies: readonly Row[];
  hasAuthorization: boolean;
  /** User and password of the URL, empty texts if it has none. */
  user: { user: string; password: string };
}

/** The access of an HTTP monitor. */
export function accessOf(row: Row, { proxies, hasAuthorization, user }: Given): Access {
  const access: Access = { config: {}, omitted: [], notes: [], isPaused: false };
  addProxy(row, proxies, access);
  const hasUser = user.user !== "" || user.password !== "";
  if (hasUser && !hasAuthorization) access.config.basicAuth = user;
  addAuthentication(row, access, hasUser || hasAuthorization);
  return access;
}

const OTHER = "authentication";

/** @param isSignedIn whether a header or the URL signs in already, which Uptime Kuma prefers */
function addAuthentication(row: Row, access: Access, isSignedIn: boolean): void {
  const method = textIn(row, "auth_method").toLowerCase();
  const credentials = {
    user: textIn(row, "basic_auth_user"),
    password: String(row.basic_auth_pass ?? ""),
  };
  if (method === "mtls") addCertificate(row, access);
  else if (method === "ntlm") pause(access, OTHER, "stillup has no NTLM");
  else if (isSignedIn) return;
  else if (method === "basic" && (credentials.user !== "" || credentials.password !== ""))
    access.config.basicAuth = credentials;
  else if (method === "digest") access.config.digestAuth = credentials;
  else if (method === "oauth2-cc") addOAuth(row, access);
}

function pause({ omitted }: Access, part: string, why: string): void;
function pause(access: Access, part: string, why: string): void {
  access.omitted.push({ part, why: `${why}: the monitor is paused` });
  access.isPaused = true;
}

function addCertificate(row: Row, access: Access): void {
  const [certificate, key] = [textIn(row, "tls_cert"), textIn(row, "tls_key")];
  if (certificate !== "" || key !== "") {
    const fault = faultIn(() => assertKeyPair({ certificate, key }, "clientCertificate"));
    if (fault === undefined) access.config.clientCertificate = { certificate, key };
    else pause(access, "client certificate", fault);
  }
  if (textIn(row, "tls_ca") !== "" && !flagOf(row, "ignore_tls"))
    pause(access, "certificate authority", "SSL_CERT_FILE of the server names the authorities that count");
}

/** OAuth 2 with the credentials of a client, which stillup sends as Basic authentication (RFC 6749, 2.3.1). */
function addOAuth(row: Row, access: Access): void {
  const sent = textIn(row, "oauth_auth_method") || "client_secret_basic";
  if (sent !== "client_secret_basic") {
    pause(
      access,
      OTHER,
      `stillup sends the secret of a client only as client_secret_basic, not as ${sent.slice(0, 40)}`,
    );
    return;
  }
  const [scope, audience] = [textIn(row, "oauth_scopes"), textIn(row, "oauth_audience")];
  access.config.oauth2 = {
    tokenUrl: textIn(row, "oauth_token_url"),
    clientId: textIn(row, "oauth_client_id"),
    clientSecret: String(row.oauth_client_secret ?? ""),
    ...(scope !== "" && { scope }),
    ...(audience !== "" && { audience }),
  };
}

/** By the protocol of a proxy in Uptime Kuma: the scheme here. */
const SCHEMES: Record<string, string> = {
  http: "http",
  socks: "socks5",
  socks5: "socks5",
  socks5h: "socks5",
};

/** A proxy that is not active is not used. */
function addProxy(row: Row, proxies: readonly Row[], access: Access): void {
  const proxy = proxyOf(row, proxies);
  if (proxy === "none") return;
  const protocol = proxy === "unknown" ? "" : textIn(proxy, "protocol").toLowerCase();
  const scheme = SCHEMES[protocol];
  if (proxy === "unknown") pause(access, "proxy", "the file does not have it");
  else if (scheme === undefined)
    pause(access, "proxy", `stillup has proxies of http and socks5, not of ${protocol.slice(0, 40)}`);
  if (proxy === "unknown" || scheme === undefined) return;
  const host = textIn(proxy, "host");
  const [user, password] = [textIn(proxy, "username"), String(proxy.password ?? "")];
  access.config.proxy = {
    url: `${scheme}://${host}:${numberOf(proxy, "port") ?? ""}`,
    ...(flagOf(proxy, "auth") && user !== "" && { user, password }),
  };
  if (protocol === "socks5")
    access.notes.push("the proxy resolves the names, which Uptime Kuma resolves itself");
}

/** The proxy that a monitor uses; `none` also for a proxy that is switched off, `unknown` if the file has no such row. */
export function proxyOf(row: Row, proxies: readonly Row[]): Row | "none" | "unknown" {
  const id = numberOf(row, "proxy_id") ?? 0;
  if (id <= 0) return "none";
  const proxy = proxies.find((one) => idOf(one) === id);
  if (!proxy) return "unknown";
  return flagOf(proxy, "active", true) ? proxy : "none";
}

/** The user info of a URL is sent as basic authentication. */
export function addressOf(text: string): { url: string; user: string; password: string } {
  const url = URL.parse(text);
  if (!url || (url.username === "" && url.password === "")) return { url: text, user: "", password: "" };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, user, password };
}
