import { DOCUMENT_TYPE, documentHeaders } from "../../status-page/html/document.ts";
import { type PublicBody, publicBody } from "./public-answer.ts";

/**
 * An HTML document as a public body.
 *
 * @param document complete @param isKept false for what nobody may keep, such as the form behind a link with a token
 */
export function htmlBody(
  document: string,
  { status = 200, isKept = true }: { status?: number; isKept?: boolean } = {},
): PublicBody {
  const headers = isKept ? documentHeaders : { ...documentHeaders, "cache-control": "no-store" };
  return publicBody({ type: DOCUMENT_TYPE, text: document, status, headers });
}
