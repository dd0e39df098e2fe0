import { type Row, textOf } from "./data.ts";
import type { Refused, Taken } from "./fields.ts";
import type { TakenChannel } from "./services.ts";

/** Type `smtp`: a channel for each recipient. The server that sends belongs to stillup (`--smtp-url`). */
export function emailsFrom(settings: Row): TakenChannel[] | Refused {
  const all = ["smtpTo", "smtpCC", "smtpBCC"].flatMap((field) => addressesIn(textOf(settings, field)));
  const addresses = [...new Set(all)];
  if (addresses.length === 0) return { why: "it has no recipient" };
  const [host, port, from] = ["smtpHost", "smtpPort", "smtpFrom"].map((field) => textOf(settings, field));
  const note = `stillup sends e-mail with --smtp-url and --smtp-from; this one is sent by ${host}:${port} from ${from}`;
  return addresses.map((to, at) => ({
    type: "EMAIL",
    config: { to },
    label: to,
    left: at === 0 ? leftOfMail(settings) : [],
    notes: at === 0 ? [note] : [],
  }));
}

/** The addresses in a list such as `Ops <ops@example.com>, dev@example.com`. */
function addressesIn(list: string): string[] {
  return list
    .split(/[,;]/)
    .map((one) => (/<([^<>]*)>\s*$/.exec(one)?.[1] ?? one).trim())
    .filter(Boolean);
}

function leftOfMail(settings: Row): Taken["left"] {
  const isCustom = textOf(settings, "customSubject") !== "" || textOf(settings, "customBody") !== "";
  return isCustom ? [{ part: "subject and body", why: "stillup writes the message" }] : [];
}
