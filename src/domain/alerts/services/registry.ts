import type { FieldWords } from "../../schemas/schema.ts";
import * as alertmanager from "./alertmanager.ts";
import * as googlechat from "./googlechat.ts";
import * as gotify from "./gotify.ts";
import * as matrix from "./matrix.ts";
import * as mattermost from "./mattermost.ts";
import * as ntfy from "./ntfy.ts";
import * as pagerduty from "./pagerduty.ts";
import * as pushover from "./pushover.ts";
import { custom, standard, webpush } from "./request.ts";
import type { Declaration, Delivery, ImportNames } from "./service.ts";
import * as signal from "./signal.ts";
import * as telegram from "./telegram.ts";
import * as zulip from "./zulip.ts";

/* All services. The tables are apart, because the page loads only the declarations. */

/** The formats of WEBHOOK channels (behavior 16.140), in the order of the API. A channel without a format is `standard`. */
export const WEBHOOK_FORMATS = [
  "standard",
  "ntfy",
  "gotify",
  "telegram",
  "pushover",
  "pagerduty",
  "matrix",
  "googlechat",
  "signal",
  "alertmanager",
  "zulip",
  "mattermost",
  "webpush",
  "custom",
] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The formats that no service of others has. */
export type OwnFormat = "standard" | "webpush" | "custom";
export type ServiceFormat = Exclude<WebhookFormat, OwnFormat>;

/** In the order in which the page offers them: chats, messages to a phone, tools, requests of the user's own. */
export const declarations = {
  telegram: telegram.declaration,
  googlechat: googlechat.declaration,
  matrix: matrix.declaration,
  signal: signal.declaration,
  zulip: zulip.declaration,
  mattermost: mattermost.declaration,
  ntfy: ntfy.declaration,
  pushover: pushover.declaration,
  gotify: gotify.declaration,
  pagerduty: pagerduty.declaration,
  alertmanager: alertmanager.declaration,
  webpush,
  standard,
  custom,
} satisfies Record<WebhookFormat, Declaration>;

export type Declarations = typeof declarations;

/** The options that the form of a service shows. */
type ShownOption<Options> = {
  [Name in keyof Options]: Options[Name] extends { isHidden: true } ? never : Name;
}[keyof Options] &
  string;

/** The words of the fields of each service, by the name of the field. The page has them in each language. */
export type ServiceWords = {
  [F in WebhookFormat]: Record<
    "url" | `options.${ShownOption<Declarations[F]["options"]>}` | (F extends "standard" ? "secret" : never),
    FieldWords
  >;
};

/** `src/alerts/` has the code for the formats of our own. */
export const deliveries: { [F in ServiceFormat]: Delivery<Declarations[F]> } = {
  telegram: telegram.delivery,
  googlechat: googlechat.delivery,
  matrix: matrix.delivery,
  signal: signal.delivery,
  zulip: zulip.delivery,
  mattermost: mattermost.delivery,
  ntfy: ntfy.delivery,
  pushover: pushover.delivery,
  gotify: gotify.delivery,
  pagerduty: pagerduty.delivery,
  alertmanager: alertmanager.delivery,
};

export const importNames: Record<ServiceFormat, ImportNames> = {
  telegram: telegram.importNames,
  googlechat: googlechat.importNames,
  matrix: matrix.importNames,
  signal: signal.importNames,
  zulip: zulip.importNames,
  mattermost: mattermost.importNames,
  ntfy: ntfy.importNames,
  pushover: pushover.importNames,
  gotify: gotify.importNames,
  pagerduty: pagerduty.importNames,
  alertmanager: alertmanager.importNames,
};

/**
 * The name of each product, and null for a format of our own, in the order of the page. The bundler of the page calls it, so that lists
 * load the names without the schemas.
 */
export function productNames(): Record<WebhookFormat, string | null> {
  const names = Object.entries<Declaration>(declarations).map(([format, { label = null }]) => [
    format,
    label,
  ]);
  return Object.fromEntries(names) as Record<WebhookFormat, string | null>;
}
