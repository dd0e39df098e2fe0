/** The decoded content of a received e-mail. */
export interface MailParts {
  /** The names are in lower case; lines that were folded are one. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** Reads a message with a text and an HTML part, as a mail program does (RFC 2045 to 2047). */
export function mailParts(source: string): MailParts {
  const { headers, body } = split(source);
  const [, boundary = ""] = /boundary="?([^";]+)"?/.exec(headers["content-type"] ?? "") ?? [];
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, "")));
  const of = (type: string) => parts.find((part) => part.headers["content-type"]?.startsWith(type));
  return { headers, text: decoded(of("text/plain")), html: decoded(of("text/html")) };
}

type Part = ReturnType<typeof split>;

function split(source: string) {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), withoutWords(line.slice(at + 1).trim())];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: source.slice(end + 4) };
}

function decoded(part: Part | undefined): string {
  if (!part) return "";
  const encoding = part.headers["content-transfer-encoding"];
  const bytes =
    encoding === "base64"
      ? Buffer.from(part.body, "base64")
      : encoding === "quoted-printable"
        ? Buffer.from(unquoted(part.body.replaceAll("=\r\n", "")), "latin1")
        : Buffer.from(part.body);
  return bytes.toString().replaceAll("\r\n", "\n");
}

/** Replaces encoded words such as `=?UTF-8?Q?a?=`. */
function withoutWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString()
        : Buffer.from(unquoted(word.replaceAll("_", " ")), "latin1").toString(),
    );
}

function unquoted(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
