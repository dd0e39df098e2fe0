import { AppError } from "../errors.ts";

/** Bytes (decisions 2). */
const LARGEST_BODY = 1024 * 1024;

/** @throws AppError `too_large`, or `invalid` where the body is no JSON object */
export async function readJsonObject(request: Request): Promise<object> {
  const text = await readText(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError("invalid", "the body must be JSON: it could not be parsed");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid", "the body must be a JSON object");
}

/** Stops reading where the body grows too large, whatever its length was said to be. */
async function readText(request: Request): Promise<string> {
  const tooLarge = new AppError("too_large", `the body must be at most ${LARGEST_BODY} bytes`);
  if (Number(request.headers.get("content-length")) > LARGEST_BODY) throw tooLarge;
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY) throw tooLarge;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
