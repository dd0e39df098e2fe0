import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { mutated } from "../bytes/mutate.ts";
import { drawCuts } from "../bytes/pieces.ts";
import { drawMessage, drawQuestion } from "./draw-message.ts";
import type { Datagrams, LookupInput, Message, Server, Stream, Truth } from "./input.ts";

const TOKENS = [
  "\0",
  "\xff",
  "\xc0\x0c",
  "\xc0\0",
  "\xc0\x1d",
  "\0\x01\0\x01",
  "\0\x05\0\x01",
  "\0\x04",
  "\0\0",
  "\x3f",
  "\x40",
  "\x03www\0",
  "\x01a\xc0\x0c",
] as const; // prettier-ignore

/** A valid message as it is, cut off, followed by other bytes, or changed at random. The ID stays. */
export function drawSent(draw: Draw, question: Question, asked: { hasEdns: boolean }): Message {
  return changed(draw, drawMessage(draw, question, asked));
}

export function changed(draw: Draw, { bytes, truth }: Message): Message {
  const kind = draw.fraction();
  if (kind < 0.4) return { bytes, truth };
  if (kind < 0.45) return { bytes: `${bytes}more`, truth };
  if (kind < 0.55 && truth !== "ignored" && truth !== "refuses EDNS") {
    const cut = bytes.slice(0, draw.whole(0, bytes.length - 1));
    return { bytes: cut, truth: truthOfPart(cut, truth) };
  }
  return { bytes: bytes.slice(0, 2) + mutated(bytes.slice(2), draw, TOKENS), truth: null };
}

/** The header alone says whether a message is an answer, and whether it is truncated. */
function truthOfPart(bytes: string, truth: Truth | null): Truth {
  if (bytes.length < 12) return "ignored";
  return truth === "truncated" ? truth : { failure: "malformed" };
}

export function drawLookup(draw: Draw): LookupInput {
  const question = drawQuestion(draw);
  const servers = Array.from({ length: draw.pick([1, 1, 2, 3]) }, () => drawServer(draw, question));
  return { question, isTarget: draw.chance(0.4), servers };
}

function drawServer(draw: Draw, question: Question): Server {
  return {
    udp: Array.from({ length: draw.whole(0, 3) }, (_, at) => drawDatagrams(draw, question, at === 0)),
    tcp: Array.from({ length: draw.whole(0, 2) }, () => drawStream(draw, question)),
    isAlive: draw.chance(0.5),
  };
}

function drawDatagrams(draw: Draw, question: Question, hasEdns: boolean): Datagrams {
  if (draw.chance(0.05)) return "refused";
  const datagrams = Array.from({ length: draw.pick([0, 1, 1, 2, 4]) }, () => ({
    message: drawSent(draw, question, { hasEdns }),
    isForeign: draw.chance(0.2),
  }));
  const [first] = datagrams;
  if (first && draw.chance(0.1)) datagrams.push(first);
  return datagrams;
}

function drawStream(draw: Draw, question: Question): Stream {
  const message = drawSent(draw, question, { hasEdns: false });
  const { length } = message.bytes;
  return {
    message,
    length: draw.chance(0.8) ? length : draw.pick([0, 1, 12, length + 1, Math.max(0, length - 1), 65_535]),
    cuts: drawCuts(draw, length + 2),
    end: draw.pick(["close", "close", "reset", "open"] as const),
  };
}
