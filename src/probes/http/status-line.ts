import type { Connection } from "../connections/connection.ts";
import { ProbeError } from "../probe-error.ts";

/** Maximum length of a status line, in bytes. */
const LONGEST_LINE = 8192;

/** The first line of an answer. @property read all that was read with it, one character for each byte */
export interface StatusLine {
  statusCode: number;
  read: string;
}

/**
 * @param isQuoted whether the message of an error shows what the server sent, which may repeat the request
 * @throws ProbeError if the server closes the connection before the line is complete, or the line is not HTTP
 */
export async function readStatusLine(
  connection: Connection,
  { isQuoted }: { isQuoted: () => boolean },
): Promise<StatusLine> {
  const notHttp = (text: string) => notHttpError(isQuoted() ? text : undefined);
  let read = "";
  for (;;) {
    const more = await connection.read();
    if (more === undefined) throw read ? notHttp(read) : closed();
    read += more;
    const end = read.indexOf("\n");
    if (end >= 0) {
      const line = read.slice(0, end).trimEnd();
      const statusCode = statusCodeOf(line);
      if (statusCode === undefined) throw notHttp(line);
      return { statusCode, read };
    }
    if (!canBeStatusLine(read) || read.length > LONGEST_LINE) throw notHttp(read);
  }
}

/** Whether an answer with this status precedes the final one (behavior 10.22). */
export function isInterim(statusCode: number): boolean {
  return statusCode >= 100 && statusCode < 200;
}

function statusCodeOf(line: string): number | undefined {
  const [, code] = /^HTTP\/\d\.\d (\d{3})\b/.exec(line) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Whether the text read so far can become a status line. If it cannot, the probe fails early. */
function canBeStatusLine(read: string): boolean {
  return read.startsWith("HTTP/".slice(0, read.length));
}

function closed(): ProbeError {
  return new ProbeError("closed", "the server closed the connection before it answered");
}

function notHttpError(text: string | undefined): ProbeError {
  const shown = text === undefined ? "" : `: ${JSON.stringify(text.slice(0, 80))}`;
  return new ProbeError("not_http", `the answer is not HTTP${shown}`);
}
