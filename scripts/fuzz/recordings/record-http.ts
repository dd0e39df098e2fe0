import { createServer } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { isInterim, statusCodeOf } from "../../../src/probes/http/response-parser.ts";
import { referenceOf } from "../http/reference.ts";
import { bytesOf, Program } from "./programs.ts";
import type { HttpRecording } from "./recording.ts";

const PAGE = `<!doctype html>\n<title>Basket</title>\n${"<p>caf\u00e9 ok</p>\n".repeat(12)}`;

export async function recordHttp(): Promise<HttpRecording[]> {
  const recordings: HttpRecording[] = [];
  for (const [name, start] of Object.entries(SERVERS)) {
    await using server = await start();
    const kinds = new Set<string>();
    for (const [what, request] of Object.entries(REQUESTS)) {
      const bytes = await bytesOf(server.port, request.replaceAll("\n", "\r\n"));
      if (bytes === "") continue;
      const recording = recordingOf(`${name}, ${what}`, !request.startsWith("HEAD"), bytes);
      const isKnown = kinds.has(kindOf(recording));
      kinds.add(kindOf(recording));
      if (!isKnown) recordings.push(recording);
    }
  }
  return recordings;
}

const REQUESTS = {
  page: "GET / HTTP/1.1\nHost: cut.test\nUser-Agent: stillup\nAccept: */*\nConnection: close\n\n",
  gzip: "GET / HTTP/1.1\nHost: cut.test\nAccept-Encoding: gzip\nConnection: close\n\n",
  brotli: "GET /br HTTP/1.1\nHost: cut.test\nAccept-Encoding: br\nConnection: close\n\n",
  missing: "GET /missing HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
  redirect: "GET /moved HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
  head: "HEAD / HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
  "old version": "GET / HTTP/1.0\n\n",
  "bad request": "GET / HTTP/1.1\nConnection: close\n\n",
  "no content": "GET /empty HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
  chunks: "GET /chunks HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
  hints: "GET /hints HTTP/1.1\nHost: cut.test\nConnection: close\n\n",
};

interface Recorded extends AsyncDisposable {
  port: number;
}

const SERVERS: Record<string, () => Promise<Recorded>> = {
  nginx: () =>
    Program.start((port, folder) => ({
      command: ["nginx", "-p", folder, "-c", `${folder}/nginx.conf`, "-g", "daemon off;"],
      files: {
        "index.html": PAGE,
        "nginx.conf": `user root; pid nginx.pid; error_log stderr; events {} http { access_log off; default_type text/html; gzip on; gzip_min_length 10;
          client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
          server { listen 127.0.0.1:${port}; root ${folder}; location = /moved { return 301 /; } location = /empty { return 204; }
          location = /chunks { ssi on; try_files /index.html =404; } } }`,
      },
    })),
  caddy: () =>
    Program.start((port, folder) => ({
      command: ["caddy", "run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
      files: {
        "index.html": PAGE,
        Caddyfile: `{
          admin off
          auto_https off
        }
        http://:${port} {
          root * ${folder}
          encode gzip
          redir /moved / 302
          respond /empty 204
          templates /chunks
          rewrite /chunks /index.html
          file_server
        }`,
      },
    })),
  "python http.server": () =>
    Program.start((port) => ({
      command: ["python3", "-m", "http.server", String(port), "--bind", "127.0.0.1"],
      files: { "index.html": PAGE },
    })),
  node: () =>
    Program.start((port) => ({ command: ["node", "server.mjs"], files: { "server.mjs": nodeServer(port) } })),
  "Bun.serve": async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        if (url.endsWith("/chunks")) return new Response(new ReadableStream({ start: send }));
        return url.endsWith("/moved") ? Response.redirect("/", 308) : new Response(PAGE);
      },
    });
    return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) };
  },
  "bun node:http": async () => {
    const server = createServer((_, response) => void response.end(PAGE));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    return { port, [Symbol.asyncDispose]: async () => void server.close() };
  },
};

function send(controller: ReadableStreamDefaultController): void {
  for (const part of ["Basket", " ok", "\r\n"]) controller.enqueue(new TextEncoder().encode(part));
  controller.close();
}

function nodeServer(port: number): string {
  return `import { createServer } from "node:http";
    import { brotliCompressSync } from "node:zlib";
    createServer((request, response) => {
      if (request.url === "/hints") response.writeEarlyHints({ link: "</style.css>; rel=preload; as=style" });
      if (request.url === "/moved") return response.writeHead(307, { location: "https://127.0.0.1/" }).end();
      if (request.url === "/empty") return response.writeHead(304, { etag: '"a"' }).end();
      if (request.url === "/br") return response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("Basket ok ".repeat(50)));
      const hasTrailers = request.method === "GET" && request.httpVersion === "1.1";
      response.writeHead(200, { "set-cookie": ["a=1", "b=2"], ...(hasTrailers && { trailer: "x-sum" }) });
      for (const part of ["Basket", "\\r\\n", "<p>", "caf\u00e9"]) response.write(part);
      if (hasTrailers) response.addTrailers({ "x-sum": "1" });
      response.end();
    }).listen(${port}, "127.0.0.1");`;
}

/** Answers of one server with the same status and the same headers are alike. */
function kindOf({ hasBody, truth: { statusCode, headers } }: HttpRecording): string {
  return `${hasBody} ${statusCode} ${headers.map(([name]) => name)}`;
}

/** The meaning is read by the parser of Node.js and by node:zlib. */
function recordingOf(from: string, hasBody: boolean, bytes: string): HttpRecording {
  const read = referenceOf(bytes, { hasBody });
  if (!read) throw new Error(`the answer of ${from} is not HTTP: ${bytes}`);
  const { statusCode, headers, sent } = read;
  const valueIn = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const coding = valueIn("content-encoding");
  const body =
    coding === "gzip" ? gunzipSync : coding === "br" ? brotliDecompressSync : (text: Buffer) => text;
  const isSent = hasBody && statusCode !== 204 && statusCode !== 304;
  const isFramed = valueIn("content-length") !== undefined || valueIn("transfer-encoding") !== undefined;
  const head = endOfHead(bytes);
  return {
    from,
    hasBody,
    bytes,
    truth: {
      statusCode,
      headers,
      sent,
      body: sent === "" ? "" : body(Buffer.from(sent, "latin1")).toString("latin1"),
      isCoded: sent !== "" && coding !== undefined,
      isUnframed: isSent && !isFramed,
      ends: { ...head, body: bytes.length },
    },
  };
}

/** After the heads of interim answers. */
function endOfHead(bytes: string): { status: number; head: number } {
  for (let start = 0; ; ) {
    const status = bytes.indexOf("\r\n", start) + 2;
    const head = bytes.indexOf("\r\n\r\n", start) + 4;
    if (!isInterim(statusCodeOf(bytes.slice(start, status)) ?? 0)) return { status, head };
    start = head;
  }
}
