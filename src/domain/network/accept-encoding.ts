/** Characters: clients send less than 100, and a list of thousands takes milliseconds. */
const LONGEST = 1000;

/**
 * Whether the header `Accept-Encoding` accepts a content coding (RFC 9110, 12.5.3): the coding, or else `*`, has a
 * weight above 0.
 *
 * @param header null without the header: no coding is accepted. A longer header than 1,000
 *   characters accepts none
 */
export function accepts(header: string | null, coding: "br" | "gzip"): boolean {
  if (header === null || header.length > LONGEST) return false;
  const weights = new Map(header.toLowerCase().split(",").map(weighted));
  const weight = weights.get(coding) ?? weights.get("*") ?? 0;
  return weight > 0;
}

function weighted(entry: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [coding, quality === undefined ? 1 : Number(quality.replace(/^q\s*=\s*/, "")) || 0];
}
