import { ProbeError } from "../probe-error.ts";
import type { Talk } from "./talk.ts";

/** A reply of SMTP or FTP. @property lines all of them, with their numbers */
interface Reply {
  code: number;
  lines: string[];
}

/** Whether a line is the last one of a reply that began with a number. */
type IsLast = (line: string, code: string) => boolean;

/** Each line has a number, and the last one counts: a server may greet in several lines and then refuse (RFC 5321, 4.2.1). */
export const smtpReply = (talk: Talk) => readReply(talk, (line) => /^[1-5]\d\d(?: |$)/.test(line), NUMBERED);

/** The lines between the first and the last one are any text (RFC 959, 4.2). */
export const ftpReply = (talk: Talk) =>
  readReply(talk, (line, code) => line === code || line.startsWith(`${code} `), ANY);

const NUMBERED = ["000"];
const ANY: string[] = [];

async function readReply(talk: Talk, isLast: IsLast, next: readonly string[]): Promise<Reply> {
  const first = await talk.line(NUMBERED);
  const [code] = /^[1-5]\d\d(?=[ -]|$)/.exec(first) ?? [];
  if (code === undefined) throw talk.isForeign();
  const lines = [first];
  for (let last = first; !isLast(last, code); lines.push(last)) last = await talk.line(next);
  return { code: Number(lines.at(-1)?.slice(0, 3)), lines };
}

/** @param to what the server answers, for the message @returns its text @throws ProbeError `unexpected` with the number, if it is another one */
export function demand({ code, lines }: Reply, wanted: number, to?: string): string {
  if (code === wanted) return lines.join("\n");
  const does = to === undefined ? "greets" : `answers ${to}`;
  throw new ProbeError("unexpected", `the server ${does} with ${code} instead of ${wanted}`, { code });
}
