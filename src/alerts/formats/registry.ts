import type { WebhookFormat } from "../../domain/alerts/webhook-format.ts";
import { alertmanager } from "./alertmanager.ts";
import { custom } from "./custom.ts";
import type { Format } from "./format.ts";
import { googlechat } from "./googlechat.ts";
import { gotify } from "./gotify.ts";
import { matrix } from "./matrix.ts";
import { ntfy } from "./ntfy.ts";
import { pagerduty } from "./pagerduty.ts";
import { pushover } from "./pushover.ts";
import { signal } from "./signal.ts";
import { standard } from "./standard.ts";
import { telegram } from "./telegram.ts";
import { webpush } from "./webpush.ts";

/** The requests of each format, and the meaning of the answers of its service. */
export const formats: { [F in WebhookFormat]: Format<F> } = {
  standard,
  ntfy,
  gotify,
  telegram,
  pushover,
  pagerduty,
  matrix,
  googlechat,
  signal,
  alertmanager,
  webpush,
  custom,
};
