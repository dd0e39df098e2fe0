import type { IncomingMessage, ServerResponse } from "node:http";

const MIB = Buffer.alloc(1024 * 1024, " ");

/** Answers of sources that can't be read, with what a fault says of each. */
export const badAnswers: Record<string, { answer: (response: ServerResponse) => void; says: string }> = {
  "stalls before the answer": { answer: () => {}, says: "no answer within" },
  "stalls within the answer": {
    answer: (response) => void response.writeHead(200).write("["),
    says: "no answer within",
  },
  "sends 100 MB": { answer: (response) => sendMany(response, 100), says: "the answer is longer than" },
  "sends an HTML page": {
    answer: (response) =>
      void response.setHeader("content-type", "text/html").end("<!doctype html><p>Sign in</p>"),
    says: "the answer is an HTML page: it must be JSON",
  },
  "sends half a list": {
    answer: (response) => void response.end('[{"Id":'),
    says: "the answer is not valid JSON",
  },
  "closes half way": {
    answer: (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("[", () => response.destroy());
    },
    says: "the connection was closed before the answer was complete",
  },
  "closes before the answer": {
    answer: (response) => void response.destroy(),
    says: "the connection was closed before the answer was complete",
  },
  "sends an empty answer": {
    answer: (response) => void response.end(),
    says: "the answer is not valid JSON",
  },
  "sends lists within lists": {
    answer: (response) => void response.end("[".repeat(2 ** 20)),
    says: "the answer is not valid JSON",
  },
  "sends whole lists within lists": {
    answer: (response) => void response.end("[".repeat(2 ** 20) + "]".repeat(2 ** 20)),
    says: "the answer must be at most 64 levels deep",
  },
  "sends a million objects": {
    answer: (response) => void response.end(`[${'{"a":1},'.repeat(800_000)}{}]`),
    says: "the answer must have at most 1,500,000 fields, arrays and objects",
  },
  "packs 100 MB": {
    answer: (response) => {
      const packed = Bun.gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    },
    says: "the answer is longer than",
  },
  "packs in an unknown way": {
    answer: (response) => void response.writeHead(200, { "content-encoding": "lzma" }).end("[]"),
    says: "the answer has an unknown content coding",
  },
};

/** Sends as fast as it is read. */
function sendMany(response: ServerResponse, count: number): void {
  let sent = 0;
  function next(): void {
    while (sent < count) {
      sent += 1;
      if (!response.write(MIB)) return void response.once("drain", next);
    }
    response.end("[]");
  }
  next();
}

/** @returns for a server: it answers each request like this */
export function always(answer: (response: ServerResponse) => void) {
  return (_: IncomingMessage, response: ServerResponse) => {
    answer(response);
    return true;
  };
}
