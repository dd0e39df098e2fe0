import { RECORD_TYPES, type RecordType } from "../../../src/domain/checks/observation.ts";
import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { drawData, drawName, type Labels, TYPE } from "./draw-record.ts";
import type { Message, Truth } from "./input.ts";
import { MessageWriter, type Written } from "./writer.ts";

const RESPONSE = 0x8000;
const TRUNCATED = 0x0200;
const [CHAOS, OPT] = [3, 41];

/** A question that the client asks: its name is ASCII. */
export function drawQuestion(draw: Draw): Question {
  const type = draw.chance(0.5)
    ? draw.pick(["A", "AAAA"] as const)
    : draw.pick(RECORD_TYPES as unknown as [RecordType]);
  return { name: draw.pick(["cut.test", "www.cut.test", "Www.Cut.TEST", "x.y.z.test"]), type };
}

/** A valid answer to a query. */
export function drawMessage(draw: Draw, question: Question, { hasEdns }: { hasEdns: boolean }): Message {
  const kind = draw.fraction();
  if (kind < 0.75) return answer(draw, question);
  if (kind < 0.85) return failure(draw, question, hasEdns);
  if (kind < 0.9)
    return { bytes: write(draw, { flags: TRUNCATED, question, records: [] }), truth: "truncated" };
  return foreign(draw, question);
}

function answer(draw: Draw, question: Question): Message {
  const { records, values } = drawAnswers(draw, question);
  const truth: Truth = values.length > 0 ? { values } : { failure: "no_data" };
  return { bytes: write(draw, { question, records }), truth };
}

function drawAnswers(draw: Draw, { name, type }: Question): { records: Written[]; values: string[] } {
  const records: Written[] = [];
  let owner: Labels = name.split(".");
  const count = type === "CNAME" || draw.chance(0.7) ? 0 : draw.whole(1, 3);
  for (let at = 0; at < count; at++) {
    const next = [`alias${at}`, "Cut", "test"];
    records.push({ owner: cased(draw, owner), type: TYPE.CNAME, data: (writer) => writer.name(next) });
    owner = next;
  }
  const values: string[] = [];
  for (let left = draw.pick([0, 1, 1, 1, 2, 3, 20]); left > 0; left--) {
    const { write: data, text } = drawData(draw, type);
    records.push({ owner: cased(draw, owner), type: TYPE[type], data });
    if (!values.includes(text)) values.push(text);
  }
  if (draw.chance(0.2)) records.push(...others(draw, type, owner));
  // The chain is followed in any order, and the values keep theirs.
  if (draw.chance(0.1)) records.push(...records.splice(0, count));
  return { records, values };
}

/** Records that answer something else. */
function others(draw: Draw, type: RecordType, owner: Labels): Written[] {
  const { write: data } = drawData(draw, type);
  const { write: txt } = drawData(draw, "TXT");
  return [
    { owner: ["other", "test"], type: TYPE[type], data },
    { owner, type: TYPE[type], group: CHAOS, data },
    ...(type === "TXT" ? [] : [{ owner, type: TYPE.TXT, data: txt }]),
  ];
}

const FAILURES = { 1: "error", 2: "servfail", 3: "nxdomain", 4: "error", 5: "refused", 15: "error" } as const;

function failure(draw: Draw, question: Question, hasEdns: boolean): Message {
  const code = Number(draw.pick(["1", "2", "3", "4", "5", "15"])) as keyof typeof FAILURES;
  const bytes = write(draw, { flags: code, question: draw.chance(0.1) ? undefined : question, records: [] });
  return { bytes, truth: code === 1 && hasEdns ? "refuses EDNS" : { failure: FAILURES[code] } };
}

/** A message that does not answer the query: another question, or a query. */
function foreign(draw: Draw, question: Question): Message {
  const { records } = drawAnswers(draw, question);
  const { name, type } = question;
  const other: Question = draw.chance(0.5)
    ? { name: `not-${name}`, type }
    : { name, type: type === "A" ? "AAAA" : "A" };
  const isQuery = draw.chance(0.3);
  const bytes = write(draw, { question: isQuery ? question : other, records, isQuery });
  return { bytes, truth: "ignored" };
}

interface Composed {
  flags?: number;
  question: Question | undefined;
  records: Written[];
  isQuery?: boolean;
}

function write(draw: Draw, { flags = 0, question, records, isQuery }: Composed): string {
  const writer = new MessageWriter(draw);
  const authority = draw.chance(0.2) ? [recordOf(draw, "SOA"), recordOf(draw, "NS")] : [];
  const additional = draw.chance(0.2) ? [recordOf(draw, "A"), recordOf(draw, "AAAA")] : [];
  if (draw.chance(0.5)) additional.push({ owner: [], type: OPT, group: 1232, data: () => {} });
  writer.uint16(0);
  writer.uint16((isQuery ? 0 : RESPONSE) | draw.pick([0x0180, 0x0580, 0]) | flags);
  for (const count of [question ? 1 : 0, records.length, authority.length, additional.length])
    writer.uint16(count);
  if (question) {
    writer.name(cased(draw, question.name.split(".")));
    writer.uint16(TYPE[question.type]);
    writer.uint16(1);
  }
  for (const record of [...records, ...authority, ...additional]) writer.record(record);
  return writer.bytes;
}

function recordOf(draw: Draw, type: RecordType): Written {
  return { owner: drawName(draw), type: TYPE[type], data: drawData(draw, type).write };
}

/** Names ignore case. */
function cased(draw: Draw, labels: Labels): Labels {
  return draw.chance(0.1) ? labels.map((label) => label.toUpperCase()) : labels;
}
