import { isoOrNull } from "../../domain/iso-time.ts";
import { attended, countStandings, STANDINGS } from "../../domain/monitors/standing.ts";
import { wallTile } from "../../domain/wall/wall.ts";
import type { Store } from "../../store/store.ts";
import type { Services } from "../http/services.ts";
import { type PublicBody, publicBody } from "../pages/public-answer.ts";
import type { Wall } from "./wall.ts";

/** Milliseconds for which all screens of an organization get the same body. */
const FRESH = 2000;

interface Wanted {
  organizationId: string;
  title: string | null;
  tag: string | null;
}

/** The bodies of walls, each for a short time. */
export function createWallCache({ store, clock, page }: Pick<Services, "store" | "clock" | "page">) {
  const cached = new Map<string, { at: number; body: Promise<PublicBody> }>();
  const read = async (wanted: Wanted, now: number) => {
    const build = Bun.hash((await page.preloads()).join()).toString(36);
    const data = { title: wanted.title, tag: wanted.tag, build, ...(await findWall(store, wanted, now)) };
    return publicBody({
      type: "application/json",
      text: JSON.stringify({ data } satisfies { data: Wall }),
      headers: { "cache-control": "private, no-cache", "cross-origin-resource-policy": "same-origin" },
    });
  };
  return {
    find(wanted: Wanted): Promise<PublicBody> {
      const now = clock.now();
      for (const [key, { at }] of cached) if (Math.abs(now - at) > FRESH) cached.delete(key);
      const key = JSON.stringify(wanted);
      const body = cached.get(key)?.body ?? read(wanted, now);
      if (!cached.has(key)) cached.set(key, { at: now, body });
      body.catch(() => cached.delete(key));
      return body;
    },
  };
}

/** More tiles fit on no screen. */
const MAX_TILES = 1000;

async function findWall(store: Store, { organizationId, tag }: Wanted, now: number) {
  const attendance = await store.outages.findAttendance(organizationId, now);
  const filters = { search: "", type: "", state: "", tags: tag === null ? [] : [tag] } as const;
  const selection = { now, most: MAX_TILES, filters, attendance };
  const { counts, matching, standings } = await store.monitors.findWorst(organizationId, selection);
  const present = standings.map((one) => attended(one, attendance));
  const monitors = present.map((one) => {
    const { since, ...tile } = wallTile(one);
    return { ...tile, tags: [...tile.tags], since: isoOrNull(since) };
  });
  if (tag === null) return { counts, monitors };
  if (matching === standings.length) return { counts: countStandings(present), monitors };
  const counted = countStandings([]);
  for (const state of STANDINGS) {
    const ofState = { now, most: 0, filters: { ...filters, state }, attendance };
    counted[state] = (await store.monitors.findWorst(organizationId, ofState)).matching;
  }
  return { counts: counted, monitors };
}
