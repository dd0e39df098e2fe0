import { Elysia } from "elysia";
import type { Author } from "../../domain/accounts/audit.ts";
import { readerOf } from "../../domain/pages/reader-locale.ts";
import { AppError } from "../../errors.ts";
import { DOCUMENT_TYPE, documentHeaders } from "../../status-page/html/unlock.ts";
import type { LinkedOutage } from "../../store/store.ts";
import { dropBody } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import type { PublicContext } from "../pages/page-cache.ts";
import { acknowledgePage, missingAcknowledgePage } from "./acknowledge-page.ts";

/** @property params have the token, which is all that a request needs: cookies, origin and body are not read */
interface Context extends PublicContext {
  params: { token: string };
}

/**
 * Acknowledges an outage without a session, by the link of a notification (behavior 23.51 to 23.54). A GET only shows the page,
 * because mail scanners follow links.
 */
export function acknowledgeLinkRoutes(services: Services) {
  const { store, acknowledgeLinks } = services;
  const path = "/acknowledge/:token";
  const hidden = { detail: { hide: true }, parse: "none" as const };

  async function find({ token }: Context["params"]): Promise<LinkedOutage | null> {
    const notified = acknowledgeLinks?.open(token);
    return notified ? store.outages.findLinked(notified) : null;
  }

  return new Elysia()
    .get(path, async (context: Context) => answer(context, await find(context.params)), hidden)
    .post(
      path,
      async (context: Context) => {
        const { params, request } = context;
        dropBody(request);
        const found = await find(params);
        if (!found || !isOpen(found)) return answer(context, found);
        return answer(context, await acknowledge(services, found, request), true);
      },
      hidden,
    );
}

function isOpen({ outage: { endedAt, acknowledgedAt } }: LinkedOutage): boolean {
  return endedAt === null && acknowledgedAt === null;
}

/** @param found an outage that was open when it was read @returns it, as it is after that */
async function acknowledge(
  { store, clock, addressOf, alertReview }: Services,
  found: LinkedOutage,
  request: Request,
): Promise<LinkedOutage | null> {
  const { organizationId, channel, outage } = found;
  const at = clock.now();
  const author: Author = { actor: { type: "notification", ...channel }, address: addressOf(request), at };
  const given = { by: `${channel.name} (by notification)`, note: null, keepsOther: true };
  try {
    const acknowledged = await store.as(author).outages.acknowledge(organizationId, outage.id, given, at);
    await alertReview.run();
    return { ...found, outage: acknowledged };
  } catch (error) {
    // It has ended meanwhile, or was deleted.
    if (!(error instanceof AppError) || !["invalid", "not_found"].includes(error.kind)) throw error;
    return store.outages.findLinked({ outageId: outage.id, channelId: channel.id });
  }
}

/** The page in the language of the reader, which nobody may keep. */
function answer({ request, set }: Context, found: LinkedOutage | null, isDone = false): string {
  const reader = readerOf("auto", request.headers.get("accept-language"));
  Object.assign(set.headers, documentHeaders(), { "content-type": DOCUMENT_TYPE });
  set.status = found ? 200 : 404;
  return found ? acknowledgePage(reader, found.outage, isDone) : missingAcknowledgePage(reader);
}
