import { type Static, Type } from "@sinclair/typebox";
import { Name, Ref, Timezone } from "../schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../schemas/schema.ts";
import { MAX_ORIGINS } from "./page-look.ts";
import { PAGE_LANGUAGES, type PageLanguage } from "./reader-locale.ts";

export const PAGE_VISIBILITIES = ["public", "password", "off"] as const;
export type PageVisibility = (typeof PAGE_VISIBILITIES)[number];

/** Whether the page has readers, who may need its password. */
export function isShown(visibility: PageVisibility): boolean {
  return visibility !== "off";
}

/** A monitor on a page. */
export interface Component {
  id: string;
  monitorId: string;
  /** Replaces the name of the monitor; null if it does not. */
  name: string | null;
  group: string | null;
}

/** Components of one page. */
export const MAX_COMPONENTS = 500;

/** A public page, as its organization configures it. */
export interface Page {
  id: string;
  /** Unique on the server. */
  slug: string;
  title: string;
  description: string | null;
  visibility: PageVisibility;
  /** `•••` for a stored password; null without a password. */
  password: string | null;
  /** Days of history, today included. */
  days: number;
  /** Seconds; shorter outages are not shown as incidents. */
  minOutage: number;
  showLatency: boolean;
  /** Such as `#2450c4`; null for the color of stillup. */
  accent: string | null;
  /** A data URL. */
  logo: string | null;
  /** The sites that may embed it. */
  embedOrigins: string[];
  /** Language of its texts, its feed and its e-mails. */
  language: PageLanguage;
  /** IANA name of the zone of its times. */
  timezone: string;
  components: Component[];
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
}

const ComponentRequest = Type.Object(
  {
    id: Type.Optional(Type.String({ description: "Of a component of this page, which is kept." })),
    monitorId: Type.String({ description: "The monitor that it shows." }),
    name: Type.Optional(described(Name, "Replaces the name of the monitor. Default: none.")),
    group: Type.Optional(
      Type.String({ format: "group-name", description: "The group that it is in. Default: none." }),
    ),
  },
  named("RequestedComponent"),
);
export type ComponentRequest = Static<typeof ComponentRequest>;

const Slug = Type.String({ format: "slug", description: "Its place in the URL. Unique on the server." });
const Title = described(Name, "The title of the page.");

export const SentLogo = Type.String({ format: "page-logo" });

/** The fields of a logo in a response. */
export const STORED_LOGO = {
  url: Type.String({ description: "Its path, while the page is public." }),
  type: Type.String({ description: "Such as `image/png`." }),
  size: Type.Integer({ description: "Bytes." }),
};

const StoredLogo = Type.Object(STORED_LOGO, closed);
export type StoredLogo = Static<typeof StoredLogo>;

const RequestedLogo = Type.Unsafe<string | StoredLogo | null>(
  Type.Union([SentLogo, StoredLogo, Type.Null()]),
);

const LOGO_DESCRIPTION =
  "A data URL of a PNG, JPEG, WebP, GIF or SVG image of at most 64 KiB, or `null` for none. What a response shows " +
  "in its place keeps the stored logo. Default: `null`.";

/** The fields that have a default. */
const optional = {
  description: Type.Optional(
    Type.String({ maxLength: 2000, description: "For its readers. An empty one is none." }),
  ),
  visibility: Type.Optional(
    described(
      oneOf(PAGE_VISIBILITIES),
      "Who can read it: `public` everybody, `password` everybody who knows its `password`. Default: `off`, nobody.",
    ),
  ),
  password: Type.Optional(
    described(
      nullable(Type.String({ format: "page-password" })),
      "With the visibility `password`: 8 to 200 printable characters. A response shows `•••`, which keeps the stored one.",
    ),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 7, maximum: 90, description: "Days of history, today included. Default: 90." }),
  ),
  minOutage: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: "Seconds. Outages that are not longer are not shown as incidents. Default: 120.",
    }),
  ),
  showLatency: Type.Optional(Type.Boolean({ description: "Whether it shows latencies. Default: `false`." })),
  accent: Type.Optional(
    described(
      nullable(Type.String({ format: "color" })),
      "The color of links and buttons, such as `#2450c4`. Default: `null`, the color of stillup.",
    ),
  ),
  logo: Type.Optional(described(RequestedLogo, LOGO_DESCRIPTION)),
  embedOrigins: Type.Optional(
    Type.Array(Type.String({ format: "embed-origin", maxLength: 300 }), {
      maxItems: MAX_ORIGINS,
      description: "The sites whose pages may show it in a frame. Default: none.",
    }),
  ),
  language: Type.Optional(
    described(
      oneOf(PAGE_LANGUAGES),
      "Of its texts, its feed and its e-mails. Default: `auto`, that of the reader.",
    ),
  ),
  timezone: Type.Optional(described(Timezone, "The zone of its times. Its days are in UTC. Default: `UTC`.")),
  components: Type.Optional(
    Type.Array(ComponentRequest, {
      maxItems: MAX_COMPONENTS,
      description: "What it shows, in this order. Default: none.",
    }),
  ),
  ref: Type.Optional(Ref),
};

export const PAGE_DEFAULTS = {
  description: null,
  visibility: "off",
  password: null,
  days: 90,
  minOutage: 120,
  showLatency: false,
  accent: null,
  logo: null,
  embedOrigins: [] as string[],
  language: "auto",
  timezone: "UTC",
} as const satisfies Partial<Page>;

/** The settings of a page besides its slug, its title and its components. */
export const PAGE_SETTINGS = [
  "description",
  "visibility",
  "password",
  "days",
  "minOutage",
  "showLatency",
  "accent",
  "logo",
  "embedOrigins",
  "language",
  "timezone",
] as const satisfies (keyof Page)[];

/** Behavior 15.1. */
export const NewPage = Type.Object(
  { slug: Slug, title: Title, ...optional },
  { ...closed, examples: [{ slug: "shop", title: "Shop", visibility: "public" }] },
);
export type NewPage = Static<typeof NewPage>;

export const PageChanges = Type.Partial(NewPage, {
  ...closed,
  examples: [
    {
      components: [
        { id: "b9Jm2TqVZkX0cW4yR7sLpA", monitorId: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front" },
        { monitorId: "Xs4TqJ0bLr9WcYk2PzVnHe", group: "Payments" },
      ],
    },
  ],
});
export type PageChanges = Static<typeof PageChanges>;

/**
 * The components of a request that replaces a page in full (behavior 16.7): a component without an ID gets the ID of the stored
 * component of the same monitor. If there are several, the component with the same name and group is preferred, then the first
 * component.
 */
export function withStoredIds(
  requested: readonly ComponentRequest[],
  stored: readonly Component[],
): ComponentRequest[] {
  const named = new Set(requested.map(({ id }) => id));
  const free = new Set(stored.filter(({ id }) => !named.has(id)));
  const take = (isMatch: (component: Component) => boolean): string | undefined => {
    const match = [...free].find(isMatch);
    if (match) free.delete(match);
    return match?.id;
  };
  const equal = requested.map(({ id, monitorId, name = null, group = null }) =>
    id === undefined
      ? take((one) => one.monitorId === monitorId && one.name === name && one.group === group)
      : id,
  );
  return requested.map((component, at) => {
    const id = equal[at] ?? take((one) => one.monitorId === component.monitorId);
    return id === undefined ? component : { ...component, id };
  });
}
