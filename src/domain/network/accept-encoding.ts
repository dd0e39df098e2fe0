/**
 * Whether the header `Accept-Encoding` takes a content coding (RFC 9110, 12.5.3): one that is named with a weight above 0,
 * or not named where `*` has one.
 *
 * @param header null where there is none: only the plain form is sent then
 */
export function accepts(header: string | null, coding: "br" | "gzip"): boolean {
  const weights = new Map((header ?? "").toLowerCase().split(",").map(weighted));
  const weight = weights.get(coding) ?? weights.get("*") ?? 0;
  return weight > 0;
}

function weighted(entry: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [coding, quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, "")) || 0];
}
