import { OFF_SLUG } from "./secret-words.ts";
import { BASE_URL } from "./seeded-instance.ts";

/** The addresses of the pages of a seeded instance. */
export const HOST_OF_SHOP = "https://status.example.com";
export const SHOP = [`${BASE_URL}/status/shop`, HOST_OF_SHOP];
export const PARTNERS = [`${BASE_URL}/status/partners`];
export const OFF = [`${BASE_URL}/status/${OFF_SLUG}`, "https://off.example.com"];

const JSON_ROUTES = [
  ...["summary", "status", "components", "incidents", "incidents/unresolved"],
  ...["scheduled-maintenances", "scheduled-maintenances/upcoming", "scheduled-maintenances/active"],
].map((name) => `/api/v2/${name}.json`);

const KINDS = ["", "?kind=status", "?kind=uptime", "?kind=latency", "?kind=other", "?kind="];

/** The paths of the public routes of a page, some of which may not exist. @param ids of components, or of anything else */
export function pagePaths(ids: string[]): string[] {
  const badges = ids.flatMap((id, at) =>
    ["svg", "json"].flatMap((ending) =>
      // One component has all kinds, which differ by their kind alone.
      (at === 0 ? KINDS : KINDS.slice(0, 1)).map((kind) => `/components/${id}/badge.${ending}${kind}`),
    ),
  );
  return [
    ...["", ...JSON_ROUTES, "/feed.atom", "/badge.svg", "/badge.json", ...badges],
    ...["/subscriptions", "/subscriptions/confirm", "/subscriptions/unsubscribe"],
    ...["/subscriptions/confirm?token=unknown", "/subscriptions/unsubscribe?token=unknown"],
    ...["/incidents/unknown", "/favicon.ico", "/icon", "/api/v2/unknown.json", "/nothing", "/", "/%E0%A4%A"],
  ];
}

/** Paths of the server that need no key, or answer without one that they need it. */
export const OTHER_URLS = [
  ...["/", "/monitors/unknown", "/docs", "/docs/json", "/healthz", "/metrics", "/robots.txt", "/favicon.ico"],
  ...[
    "/status",
    "/status/",
    "/status/unknown",
    "/status/SHOP",
    "/status/%00",
    "/status/%E0%A4%A",
    "/status/..%2Fshop",
  ],
  ...[
    "/api/v1/pages",
    "/api/v1/pages/unknown",
    "/api/v1/pages/unknown/incidents",
    "/api/v1/status",
    "/api/v2/summary.json",
  ],
  ...["/api/v1/monitors/unknown/checkin"],
].map((path) => BASE_URL + path);
