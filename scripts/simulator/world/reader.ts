import type { Sealed } from "../../../src/domain/pages/page-password.ts";
import type { NewPage } from "../../../src/domain/pages/page-request.ts";
import type { PublicPage } from "../../../src/domain/pages/public-page.ts";
import type { Ledger, Look } from "../ledger.ts";
import type { OperatedParts } from "./server.ts";

const SLUG = "status";

/** A public page with all monitors, which shows each outage. */
export function pageOf({ monitorIds }: Pick<Ledger, "monitorIds">): Sealed<NewPage> {
  const components = [...monitorIds.values()].map((monitorId) => ({ monitorId }));
  return { slug: SLUG, title: "Status", visibility: "public", minOutage: 0, components };
}

/** Reads the list of monitors and the public page. */
export async function look(
  organizationId: string,
  { store, publicPages, now }: OperatedParts,
): Promise<Omit<Look, "from" | "to">> {
  const statuses: Look["statuses"] = new Map();
  const filter = { type: undefined, range: "1d" } as const;
  // A call through the disk returns a promise.
  for await (const monitors of await store.monitors.list(organizationId, filter, now()))
    for (const { name, status } of monitors) statuses.set(name, status);
  return { statuses, ...readPage(await publicPages.find(SLUG)) };
}

function readPage(page: PublicPage | null): Pick<Look, "components" | "outages"> {
  const { components = [], incidents = [] } = page ?? {};
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return {
    components: new Map(components.map(({ name, status }) => [name, status])),
    outages: incidents
      .filter(({ outage, resolvedAt }) => outage !== null && resolvedAt === null)
      .map(({ componentIds: [id = ""], impact, startedAt }) => ({
        monitor: names.get(id) ?? "",
        isDown: impact === "major",
        startedAtWall: startedAt,
      })),
  };
}
