import { Type } from "@sinclair/typebox";
import { type PageAddresses, parseLogo } from "../../domain/pages/page-look.ts";
import { sealed } from "../../domain/pages/page-password.ts";
import {
  NewPage,
  PAGE_DEFAULTS,
  PAGE_SETTINGS,
  PAGE_VISIBILITIES,
  type Page,
  PageChanges,
  STORED_LOGO,
  type StoredLogo,
} from "../../domain/pages/page-request.ts";
import { PAGE_LANGUAGES } from "../../domain/pages/reader-locale.ts";
import { pick } from "../../domain/pick.ts";
import { StoredRef } from "../../domain/schemas/format.ts";
import { described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { logoPath } from "../../status-page/feed.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const ComponentBody = Type.Object(
  {
    id: Type.String({ description: "Public, in contrast to the ID of the monitor." }),
    monitorId: Type.String(),
    name: described(nullable(Type.String()), "`null`: the name of the monitor."),
    group: nullable(Type.String()),
  },
  named("PageComponent"),
);

export const example = {
  id: "Wq3hTzL9sXc1VbNm5KpYrE",
  slug: "shop",
  title: "Shop",
  ...PAGE_DEFAULTS,
  description: "Orders and payments.",
  visibility: "public",
  components: [
    { id: "b9Jm2TqVZkX0cW4yR7sLpA", monitorId: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", group: null },
    { id: "U7eKxN3oGd5ZqYbT1mWvRs", monitorId: "Xs4TqJ0bLr9WcYk2PzVnHe", name: null, group: "Payments" },
  ],
  ref: null,
};
/** Behavior 15.1. */
export const PageBody = Type.Object(
  {
    id: Type.String(),
    slug: Type.String({ description: "The page is at `/status/` and this." }),
    title: Type.String(),
    description: nullable(Type.String()),
    visibility: oneOf(PAGE_VISIBILITIES),
    password: described(nullable(Type.String()), "`•••` for the stored one; `null` without one."),
    days: Type.Integer({ description: "Days of history, today included." }),
    minOutage: Type.Integer({ description: "Seconds. Outages that are not longer are not incidents." }),
    showLatency: Type.Boolean(),
    accent: described(nullable(Type.String()), "`null`: the color of stillup."),
    logo: nullable(Type.Object(STORED_LOGO, named("PageLogo"))),
    embedOrigins: Type.Array(Type.String(), { description: "The sites that may show it in a frame." }),
    language: described(oneOf(PAGE_LANGUAGES), "`auto`: that of the reader."),
    timezone: Type.String({ description: "The zone of its times. Its days are in UTC." }),
    components: Type.Array(ComponentBody),
    ref: StoredRef,
  },
  named("Page", example),
);

/** The fields of a response. */
export function pageBody({ pathOf }: Pick<PageAddresses, "pathOf">, page: Page) {
  const fields = pick(page, ["id", "slug", "title", ...PAGE_SETTINGS, "components", "ref"]);
  return { ...fields, logo: logoBody(page, pathOf(page.slug)) };
}

function logoBody({ logo }: Page, path: string): StoredLogo | null {
  const parsed = parseLogo(logo);
  if (!parsed) return null;
  return { url: path + logoPath(parsed), type: parsed.type, size: parsed.bytes.length };
}

const PageId = idOf("a public page");

/** Behavior 15.1 to 15.6. */
export function pageRoutes({ store, clock, authenticator, bodies, pageLock, publicPages }: Services) {
  const page = operationsOf(
    { authenticator, bodies },
    { name: "Page", one: "a public page", params: PageId, answer: PageBody, role: "admin" },
  );
  return resource({ authenticator, store }, "/pages", "Public pages")
    .get(
      "",
      async ({ caller }) => ({
        data: (await store.pages.list(caller.organizationId)).map((page) => pageBody(publicPages, page)),
      }),
      page.list("Lists all pages of the organization, oldest first."),
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        const values = await sealed(body, null, pageLock.seal);
        return status(201, {
          data: pageBody(
            publicPages,
            await authored().pages.create(caller.organizationId, values, clock.now()),
          ),
        });
      },
      page.create(
        NewPage,
        "A page at `/status/` and its `slug`, which everybody can read if its `visibility` is `public`, or everybody who knows its `password`. It shows its " +
          "components: monitors under a name that may differ, and never their targets.",
      ),
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: pageBody(publicPages, await store.pages.find(caller.organizationId, params.id)),
      }),
      page.read("A page as it is configured. What readers see is at `/status/` and its `slug`."),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body }) => {
        const stored = body.password
          ? await authored().pages.findPasswordHash(caller.organizationId, params)
          : null;
        const values = await sealed(body, stored, pageLock.seal);
        return {
          data: pageBody(
            publicPages,
            await authored().pages.update(caller.organizationId, params.id, values, clock.now()),
          ),
        };
      },
      page.update(
        PageChanges,
        "Changes only the fields that are sent. `components` replaces all components; one that is sent with its `id` keeps " +
          "it, and with it its URL and its place in incidents.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => ({
        data: await authored().pages.delete(caller.organizationId, params.id, clock.now()),
      }),
      page.delete("Deletes it with its incidents and subscribers. Its monitors stay."),
    );
}
