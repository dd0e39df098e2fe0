import { isoOrNull } from "../../domain/iso-time.ts";
import { countDisplayStates, DISPLAY_STATES } from "../../domain/monitors/display-state.ts";
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
  const calendar = await store.maintenances.findCalendar(organizationId);
  const filters = { search: "", type: "", state: "", tags: tag === null ? [] : [tag] } as const;
  const selection = { now, most: MAX_TILES, filters };
  const { counts, matching, standings } = await store.monitors.findWorst(organizationId, selection);
  const monitors = standings.map((one) => {
    const { since, ...tile } = wallTile(one, calendar.windowOf(one, now) !== null);
    return { ...tile, tags: [...tile.tags], since: isoOrNull(since) };
  });
  if (tag === null) return { counts, monitors };
  if (matching === standings.length) return { counts: countDisplayStates(standings), monitors };
  const counted = countDisplayStates([]);
  for (const state of DISPLAY_STATES) {
    const ofState = { now, most: 0, filters: { ...filters, state } };
    counted[state] = (await store.monitors.findWorst(organizationId, ofState)).matching;
  }
  return { counts: counted, monitors };
}
