import type { Endpoint } from "./endpoint.ts";

/** By the setting of the client. */
const MISSING_HERE: Record<string, string> = {
  oauth2: "stillup gets no token by OAuth 2",
  "identity-aware-proxy": "stillup gets no token of Google",
  tls: "stillup has no client certificates",
  "proxy-url": "stillup uses no proxy",
  tunnel: "stillup has no tunnels; a location in that network can check it",
};

const DIFFERENT_HERE: Record<string, string> = {
  "dns-resolver": "stillup looks names up itself: see --dns-servers",
  "store-cookies": "stillup keeps no cookies",
};

/** Whether a check from here could only fail. */
export function isUnreachable({ client, leave }: Endpoint): boolean {
  for (const [name, why] of Object.entries(DIFFERENT_HERE)) if (client[name]) leave(`client.${name}`, why);
  const missing = Object.entries(MISSING_HERE).filter(([name]) => client[name]);
  for (const [name, why] of missing) leave(`client.${name}`, `${why}: the monitor is paused`);
  return missing.length > 0;
}
