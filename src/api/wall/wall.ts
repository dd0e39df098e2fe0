import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { isoOrNull } from "../../domain/iso-time.ts";
import { DISPLAY_STATES } from "../../domain/monitors/display-state.ts";
import { attended, countStandings, STANDINGS, type Standing } from "../../domain/monitors/standing.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { wallTile } from "../../domain/wall/wall.ts";
import { notFound } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { answering, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { type PublicBody, type PublicContext, publicAnswer, publicBody } from "../pages/page-cache.ts";

const State = oneOf(DISPLAY_STATES);
const Count = Type.Integer({ minimum: 0 });

const WallBody = Type.Object(
  {
    title: described(nullable(Type.String()), "The name of the link. `null` without one."),
    tag: described(nullable(Type.String()), "All monitors have this tag."),
    build: Type.String({
      description: "Another value after an update of the server: the wall then reloads itself.",
    }),
    counts: Type.Object(
      Object.fromEntries(STANDINGS.map((standing) => [standing, Count])) as Record<Standing, typeof Count>,
      closed,
    ),
    monitors: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          tags: Type.Array(Type.String()),
          state: State,
          standing: described(oneOf(STANDINGS), "By which the wall orders and counts the monitor."),
          status: StatusSchema,
          since: nullable(Timestamp),
          reason: described(
            nullable(Type.String()),
            "Why it is in trouble, in a few words; `null` if it is not. By a link without the message of the check.",
          ),
          reasonCode: described(nullable(Type.String()), "The code of the reason, if it has one."),
          reasonDetail: described(
            nullable(Type.String()),
            "What `reason` says besides the words of its code: the message of the check or, by a link, the status code.",
          ),
        },
        closed,
      ),
      { description: "At most 1,000, worst first." },
    ),
  },
  named("Wall"),
);

export type Wall = Static<typeof WallBody>;

const example: Wall = {
  title: "Screen in the office",
  tag: null,
  build: "1x9k2f",
  counts: { ...countStandings([]), down: 1 },
  monitors: [
    {
      name: "Shop front",
      tags: ["web"],
      state: "down",
      standing: "down",
      status: "down",
      since: "2026-11-21T09:30:00.000Z",
      reason: "Connection refused",
      reasonCode: "refused",
      reasonDetail: null,
    },
  ],
};

const WallQuery = Type.Object({ tag: Type.Optional(parameter(Tag, "Only monitors with this tag.")) }, open);

/** The data of the wall, for readers who are signed in and for those who have a link (behavior 16.360, 16.362). */
export function wallRoutes(services: Services) {
  const { store, authenticator } = services;
  const walls = createWallCache(services);
  return new Elysia({ normalize: false })
    .get(
      "/api/wall/:token",
      async ({ params: { token }, request, set }) => {
        const link = TOKEN.test(token) ? await store.wallLinks.find(token) : undefined;
        if (!link) {
          const wait = authenticator.noteFailure(request);
          throw wait > 0 ? tooManyFault("tooManyFailedAttempts", wait) : notFound();
        }
        const { organizationId, name, tag } = link;
        return answer({ request, set }, await walls.find({ organizationId, title: name, tag, isOpen: true }));
      },
      {
        detail: operation({
          tag: "Wall",
          operationId: "getWallByLink",
          summary: "Get the wall of a link",
          description: "Needs no key: the token is the secret. Has an `ETag`.",
          parameters: [
            {
              name: "token",
              in: "path",
              required: true,
              schema: Type.String(),
              description: "The token of the link.",
            },
          ],
          answer: Type.Object({ data: WallBody }, closed),
          example: { data: example },
          errors: [404, 429],
          open: true,
        }),
      },
    )
    .use(
      resource({ authenticator, store }, "/wall", "Wall").get(
        "",
        async ({ caller: { organizationId }, query: { tag = null }, request, set }) =>
          answer({ request, set }, await walls.find({ organizationId, title: null, tag, isOpen: false })),
        {
          query: WallQuery,
          detail: answering({
            operationId: "getWall",
            summary: "Get the wall",
            description: "What a large screen shows: names and statuses, worst first. Has an `ETag`.",
            answer: WallBody,
            example,
            errors: [422],
          }),
        },
      ),
    );
}

/** The form of the tokens of `createToken`. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

/** Only the page of this server reads it. */
async function answer(context: PublicContext, body: PublicBody): Promise<{ data: Wall }> {
  const bytes: unknown = await publicAnswer(context, body);
  delete context.set.headers["access-control-allow-origin"];
  // The bytes are this value as JSON.
  return bytes as { data: Wall };
}

/** Milliseconds for which all screens of an organization get the same body. */
const FRESH = 2000;

interface Wanted {
  organizationId: string;
  title: string | null;
  tag: string | null;
  /** Whether the reader has a link, and no key. */
  isOpen: boolean;
}

/** The bodies of walls, each for a short time. */
function createWallCache({ store, clock, page }: Pick<Services, "store" | "clock" | "page">) {
  const cached = new Map<string, { at: number; body: Promise<PublicBody> }>();
  const read = async (wanted: Wanted, now: number) => {
    const build = await page.version();
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

async function findWall(store: Store, { organizationId, tag, isOpen }: Wanted, now: number) {
  const attendance = await store.outages.findAttendance(organizationId, now);
  const filters = { search: "", type: "", state: "", tags: tag === null ? [] : [tag] } as const;
  const selection = { now, most: MAX_TILES, filters, attendance };
  const { counts, matching, standings } = await store.monitors.findWorst(organizationId, selection);
  const present = standings.map((one) => attended(one, attendance));
  const monitors = present.map((one) => {
    const { since, ...tile } = wallTile(one, { isOpen });
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
