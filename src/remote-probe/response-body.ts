import { LinkError } from "./server-link.ts";

/** Bytes. A work list has some hundred bytes for each monitor. */
const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * Reads a body as JSON.
 *
 * @returns undefined if it is no JSON, as that of the error page of a proxy
 * @throws LinkError `incompatible` if it is too large
 */
export async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY)
      throw new LinkError("incompatible", `the answer has more than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}
