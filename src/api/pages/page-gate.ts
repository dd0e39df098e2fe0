import type { Language } from "../../domain/pages/language.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { readerOf } from "../../domain/pages/reader.ts";
import { AppError } from "../../errors.ts";
import type { LockedPage } from "../../runner/pages/page-lock.ts";
import { type UnlockFault, unlockPage } from "../../status-page/html/unlock.ts";
import { localizationOf } from "../../status-page/localization.ts";
import type { Services } from "../http/services.ts";
import { cacheByPage } from "./page-cache.ts";
import { passesOf } from "./page-cookie.ts";
import {
  htmlBody,
  type PublicContext,
  publicAnswer,
  publicBody,
  readerFor,
  varyBy,
} from "./public-answer.ts";
import type { PublicRequest } from "./public-route.ts";

/** The services that decide who may read a page. */
export type GateServices = Pick<Services, "publicPages" | "pageLock" | "addressOf">;

type Fault = "missing" | UnlockFault;

const ANSWERS: Record<Fault, { status: number; error: string }> = {
  missing: { status: 401, error: "Unauthorized: the page needs its password" },
  wrong: { status: 401, error: "Unauthorized: the password is wrong" },
  limited: { status: 429, error: "Too many wrong passwords: try again later" },
};

/** Why a page is not shown. @property retryAfter seconds */
export interface Refusal {
  fault: Fault;
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
  return password === undefined
    ? { fault: "missing" }
    : judgePassword(services, locked, { password, request });
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
    return isRight ? undefined : { fault: "wrong" };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "too_many") throw error;
    return { fault: "limited", retryAfter: error.retryAfter };
  }
}

/**
 * Answers a reader who may not see a page: a browser gets the form, another client what it has to send. Nobody keeps the answer,
 * and it has no `ETag`: see `publicBody`.
 */
export async function refuse(
  { page, refusal: { fault, retryAfter } }: { page: PublicPage; refusal: Refusal },
  { request, params, set }: PublicContext & PublicRequest,
): Promise<Uint8Array | undefined> {
  const base = baseOf(page, { params });
  const body = asksForHtml(request)
    ? formOf(page, `${fault} ${readerFor(page, request).language} ${base}`)
    : errorOf(page, fault);
  const bytes = await publicAnswer({ request, set }, body, { isPrivate: true });
  if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
  return bytes;
}

/** Kept, because strangers can ask for it as often as they like. */
const formOf = cacheByPage((page, key: `${Fault} ${Language} ${string}`) => {
  const [fault, language, base] = key.split(" ") as [Fault, Language, string];
  const local = localizationOf(readerOf(language, null), "UTC");
  const document = unlockPage(local, { title: page.title, base }, fault === "missing" ? undefined : fault);
  return htmlBody(document, { language: page.language, status: ANSWERS[fault].status });
});

const errorOf = cacheByPage((page, fault: Fault) => {
  const { status, error } = ANSWERS[fault];
  const challenge = { "www-authenticate": 'Basic realm="status page", charset="UTF-8"' };
  const headers = { ...varyBy(page.language), ...(status === 401 && challenge) };
  return publicBody({
    type: "application/json; charset=utf-8",
    text: JSON.stringify({ error }),
    status,
    headers,
  });
});

/** The path before the routes of a page, as the request has it. */
export function baseOf({ slug }: PublicPage, { params }: Pick<PublicRequest, "params">): string {
  return params?.slug === undefined ? "" : `/status/${slug}`;
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
