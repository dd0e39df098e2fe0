import type { Clock } from "../../clock.ts";
import { DAY } from "../../domain/duration.ts";
import type { Beginnings } from "../people/beginnings.ts";

/** An outage, and a channel that was notified of it. */
export interface NotifiedOutage {
  outageId: string;
  channelId: string;
}

/**
 * The links in notifications that acknowledge an outage (behavior 23.50). A token is its outage, its channel, its end and an
 * authentication code of all three, so that nothing of it is stored, and each node accepts the tokens of the others.
 */
export interface AcknowledgeLinks {
  /** @param now when the notification is sent, in milliseconds since 1970 */
  urlOf(notified: NotifiedOutage, now: number): string;
  /** @returns null unless a server of this installation issued the token, and it has not ended */
  open(token: string): NotifiedOutage | null;
}

/** How long a token is valid, in milliseconds. */
const LIFETIME = DAY;

/** The end in milliseconds since 1970, in base 36. No character at the end that a program would leave out of a link. */
const TOKEN = /^([\w-]{1,64})\.([\w-]{1,64})\.([0-9a-z]{1,10})\.([0-9a-f]{32})$/;

export function createAcknowledgeLinks({
  clock,
  baseUrl,
  beginnings,
}: {
  clock: Pick<Clock, "now">;
  baseUrl: () => string;
  beginnings: Pick<Beginnings, "sign">;
}): AcknowledgeLinks {
  const codeOf = (content: string) => beginnings.sign(`acknowledge ${content}`);
  return {
    urlOf({ outageId, channelId }, now) {
      const content = `${outageId}.${channelId}.${(now + LIFETIME).toString(36)}`;
      return `${baseUrl()}/acknowledge/${content}.${codeOf(content)}`;
    },
    open(token) {
      const [, outageId = "", channelId = "", end = "", code = ""] = TOKEN.exec(token) ?? [];
      if (code === "") return null;
      const right = codeOf(`${outageId}.${channelId}.${end}`);
      if (!crypto.timingSafeEqual(Buffer.from(code), Buffer.from(right))) return null;
      return Number.parseInt(end, 36) > clock.now() ? { outageId, channelId } : null;
    },
  };
}
