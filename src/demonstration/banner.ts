import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/*
 * The note on every page of a demonstration (behavior 24.28). It is added to the HTML of each answer, so that no page has to know of it.
 */

const STYLE =
  "#demonstration{margin:0;padding:6px 12px;background:#7a4100;color:#fff;font:600 14px/1.4 system-ui,sans-serif;text-align:center;position:relative;z-index:9}";

const NOTE = `<p id="demonstration" role="note" lang="en" dir="ltr">Demonstration: anybody may look and change. It checks only itself, sends nothing, and starts again each hour. Enter nothing secret.</p>`;

const HASH = `'sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}'`;

/** Compresses fast: each answer is compressed again. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface Coding {
  decode(bytes: Uint8Array<ArrayBuffer>): Uint8Array;
  encode(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
}

const codings: Record<string, Coding> = {
  "": { decode: (bytes) => bytes, encode: (bytes) => bytes },
  gzip: { decode: (bytes) => Bun.gunzipSync(bytes), encode: (bytes) => Bun.gzipSync(bytes) },
  br: {
    decode: (bytes) => brotliDecompressSync(bytes),
    encode: (bytes) => new Uint8Array(brotliCompressSync(bytes, QUALITY)),
  },
};

/** The same answer, with the note if it is a page. */
export async function withNote(response: Response): Promise<Response> {
  const { headers, status } = response;
  const coding = codings[headers.get("content-encoding") ?? ""];
  if (!coding || !response.body || !headers.get("content-type")?.startsWith("text/html")) return response;
  const given = new Uint8Array(await response.arrayBuffer());
  const html = new TextDecoder().decode(coding.decode(given));
  // Whoever may read without a session reads the menu first, not the sign-in.
  const isOfDashboard = headers.get("link")?.includes("/api/v1/session/current");
  const noted = html
    .replace("</head>", `<style>${STYLE}</style></head>`)
    .replace(/<body[^>]*>/, (body) => body + NOTE)
    .replace("<html", (root) =>
      isOfDashboard && !html.includes(" data-session") ? `${root} data-session` : root,
    );
  const changed = new Headers(headers);
  changed.delete("content-length");
  changed.delete("etag");
  const policy = headers.get("content-security-policy");
  if (policy !== null) changed.set("content-security-policy", allowing(policy));
  return new Response(coding.encode(new TextEncoder().encode(noted)), { status, headers: changed });
}

/** A policy that allows the style of the note too. */
function allowing(policy: string): string {
  const [, styles] = /style-src ([^;]*)/.exec(policy) ?? [];
  if (styles === undefined) return `${policy}; style-src ${HASH}`;
  // A hash would end what it allows.
  if (styles.includes("'unsafe-inline'")) return policy;
  return policy.replace("style-src ", `style-src ${HASH} `).replace(`${HASH} 'none'`, HASH);
}
