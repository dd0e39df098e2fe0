import type { PublicPage } from "../../domain/pages/public-page.ts";
import { AppError } from "../../errors.ts";
import type { LockedPage } from "../../runner/pages/page-lock.ts";
import { type UnlockFault, unlockPage } from "../../status-page/html/unlock.ts";
import { localizationOf } from "../../status-page/localization.ts";
import type { Services } from "../http/services.ts";
import { passesOf } from "./page-cookie.ts";
import { htmlBody, type PublicBody, publicBody, varyBy } from "./public-answer.ts";
import { type PublicRequest, readerFor } from "./public-route.ts";

/** The services that decide who may read a page. */
export type GateServices = Pick<Services, "publicPages" | "pageLock" | "addressOf">;

/** Why a page is not shown. @property retryAfter seconds */
export interface Refusal {
  status: 401 | 429;
  fault?: UnlockFault;
  retryAfter?: number | undefined;
}

/**
 * Why a reader may not see a page (behavior 21.34, 21.35): a valid cookie opens it, or the password by Basic authentication.
 *
 * @returns undefined if they may
 */
export async function refusalOf(
  services: GateServices,
  page: PublicPage,
  request: Request,
): Promise<Refusal | undefined> {
  const locked = lockedPage(page);
  if (!locked) return undefined;
  if (passesOf(request).some((pass) => services.pageLock.accepts(locked, pass))) return undefined;
  const password = basicPassword(request.headers.get("authorization"));
  return password === undefined ? { status: 401 } : judgePassword(services, locked, { password, request });
}

/** @returns null for a page without a password */
export function lockedPage({ id, passwordHash }: PublicPage): LockedPage | null {
  return passwordHash === null ? null : { id, passwordHash };
}

/** @returns undefined if the password is right */
export async function judgePassword(
  { pageLock, addressOf }: GateServices,
  page: LockedPage,
  { password, request }: { password: string; request: Request },
): Promise<Refusal | undefined> {
  try {
    const isRight = await pageLock.judge(page, { password, address: addressOf(request) });
    return isRight ? undefined : { status: 401, fault: "wrong" };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "too_many") throw error;
    return { status: 429, fault: "limited", retryAfter: error.retryAfter };
  }
}

/** Nobody keeps it, and it has no `ETag`: see `publicBody`. Browsers get the form, other clients what they have to send. */
export function refusalBody(
  { publicPages }: GateServices,
  page: PublicPage,
  { request, params, refusal }: PublicRequest & { refusal: Refusal },
): PublicBody {
  const { status, fault, retryAfter } = refusal;
  const headers = {
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
  if (asksForHtml(request)) {
    const local = localizationOf(readerFor(page, request), "UTC");
    const base = baseOf(publicPages, page, { request, params });
    const document = unlockPage(local, { title: page.title, base }, fault);
    return htmlBody(document, { language: page.language, status, headers });
  }
  const error = status === 429 ? "Too many wrong passwords" : "Unauthorized: the page needs its password";
  return publicBody({
    type: "application/json; charset=utf-8",
    text: JSON.stringify({ error }),
    status,
    headers: {
      ...headers,
      ...varyBy(page.language),
      ...(status === 401 && { "www-authenticate": 'Basic realm="status page", charset="UTF-8"' }),
    },
  });
}

/** The path before the routes of a page, as the request has it. */
export function baseOf(
  { slugAtHost }: GateServices["publicPages"],
  { slug }: PublicPage,
  { request, params }: PublicRequest,
): string {
  return params?.slug === undefined && slugAtHost(request) === slug ? "" : `/status/${slug}`;
}

/** Whether a browser sent it, or a client that says that it shows documents. */
export function asksForHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("accept") ?? "");
}

/** @returns undefined without a password by Basic authentication */
function basicPassword(authorization: string | null): string | undefined {
  const [, encoded] = /^basic[ ]+([\w+/=-]+)[ ]*$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString();
  const colon = credentials.indexOf(":");
  return colon < 0 ? undefined : credentials.slice(colon + 1);
}
