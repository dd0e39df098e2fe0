const JSON_TYPE = "application/json; charset=utf-8";
const SVG_TYPE = "image/svg+xml; charset=utf-8";

/** All formats of a page, with their types: paths below the page. @param componentId a component of the page */
export function formatPaths(componentId: string): [path: string, type: string][] {
  const badge = `/components/${componentId}/badge`;
  return [
    ["/api/v2/summary.json", JSON_TYPE],
    ["/api/v2/status.json", JSON_TYPE],
    ["/api/v2/components.json", JSON_TYPE],
    ["/api/v2/incidents.json", JSON_TYPE],
    ["/api/v2/incidents/unresolved.json", JSON_TYPE],
    ["/api/v2/scheduled-maintenances.json", JSON_TYPE],
    ["/api/v2/scheduled-maintenances/upcoming.json", JSON_TYPE],
    ["/api/v2/scheduled-maintenances/active.json", JSON_TYPE],
    ["/feed.atom", "application/atom+xml; charset=utf-8"],
    ["/badge.svg", SVG_TYPE],
    ["/badge.json", JSON_TYPE],
    [`${badge}.svg`, SVG_TYPE],
    [`${badge}.json`, JSON_TYPE],
    [`${badge}.svg?kind=uptime`, SVG_TYPE],
    [`${badge}.json?kind=latency`, JSON_TYPE],
  ];
}
