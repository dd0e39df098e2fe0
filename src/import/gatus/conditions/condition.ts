const OPERATORS = ["==", "!=", "<=", ">=", ">", "<"] as const;
export type Operator = (typeof OPERATORS)[number];

const MIRRORED: Record<Operator, Operator> = {
  "==": "==",
  "!=": "!=",
  "<=": ">=",
  ">=": "<=",
  ">": "<",
  "<": ">",
};

/** What a condition compares, such as `STATUS` or `BODY`. */
export interface Operand {
  /** In upper case, without brackets. */
  name: string;
  /** What follows `[BODY]`, such as `.data[0].id`. */
  path: string;
  /** `len([BODY].items)` */
  wrapper: "len" | "has" | null;
}

/** The other side: a text, or one of the functions `any` and `pat`. */
export type Wanted =
  | { kind: "text"; text: string }
  | { kind: "any"; options: string[] }
  | { kind: "pattern"; pattern: string };

export interface Condition {
  operand: Operand;
  operator: Operator;
  wanted: Wanted;
}

/** Parses a condition of Gatus, such as `[STATUS] == 200`. Undefined if it does not compare a placeholder with a text. */
export function parseCondition(text: string): Condition | undefined {
  const operator = OPERATORS.find((one) => text.includes(` ${one} `));
  if (!operator) return undefined;
  const [first = "", second = "", ...more] = text.split(` ${operator} `).map((side) => side.trim());
  if (more.length > 0) return undefined;
  const [left, right] = [operandOf(first), operandOf(second)];
  if (left && !right) return { operand: left, operator, wanted: wantedOf(second) };
  if (right && !left) return { operand: right, operator: MIRRORED[operator], wanted: wantedOf(first) };
  return undefined;
}

const NAMES = [
  "STATUS",
  "RESPONSE_TIME",
  "BODY",
  "CONNECTED",
  "CERTIFICATE_EXPIRATION",
  "DOMAIN_EXPIRATION",
  "DNS_RCODE",
  "IP",
  "CONTEXT",
];

function operandOf(text: string): Operand | undefined {
  const [, wrapper, inner = text] = /^(len|has)\((.*)\)$/.exec(text) ?? [];
  const [, name = "", path = ""] = /^\[([A-Za-z_]+)\](.*)$/.exec(inner) ?? [];
  if (!NAMES.includes(name.toUpperCase())) return undefined;
  return { name: name.toUpperCase(), path, wrapper: wrapper === "len" || wrapper === "has" ? wrapper : null };
}

function wantedOf(text: string): Wanted {
  const [, name, inner = ""] = /^(any|pat)\((.*)\)$/s.exec(text) ?? [];
  if (name === "pat") return { kind: "pattern", pattern: inner };
  if (name !== "any") return { kind: "text", text };
  const options = inner.split(",").map((option) => option.trim());
  return options.length === 1 ? { kind: "text", text: options[0] ?? "" } : { kind: "any", options };
}

/** The texts between the stars of a pattern such as `*Basket*`. Undefined if it has other special characters. */
export function textsBetweenStars(pattern: string): string[] | undefined {
  if (/[?[\\]/.test(pattern)) return undefined;
  return pattern.split("*").filter((text) => text !== "");
}

/** Whether a pattern allows anything before and after its texts. */
export function isOpenEnded(pattern: string): boolean {
  return pattern.startsWith("*") && pattern.endsWith("*");
}
