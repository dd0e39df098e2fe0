import type { Headers } from "../http/response-parser.ts";

/** One way to sign in that a server asks for with 401. Scheme and names of parameters are in lower case; values have one character for each byte. */
export interface Challenge {
  scheme: string;
  parameters: ReadonlyMap<string, string>;
}

/** A server needs few. These bound the work for a hostile one. */
const MAX_CHALLENGES = 20;
const MAX_PARAMETERS = 30;
const MAX_VALUE = 4096;

/**
 * The challenges of an answer, in their order (RFC 9110, 11.6.1). A challenge that breaks the grammar, has a parameter twice or is beyond the
 * bounds is left out, with those that follow it in the same header.
 */
export function challengesIn(headers: Headers): Challenge[] {
  const values = headers
    .filter(([name]) => name.toLowerCase() === "www-authenticate")
    .map(([, value]) => value);
  const challenges: Challenge[] = [];
  for (const value of values) {
    for (const challenge of new ChallengeParser(value).challenges()) {
      if (challenges.length === MAX_CHALLENGES) return challenges;
      challenges.push(challenge);
    }
  }
  return challenges;
}

/* RFC 9110, 5.6 and 11.2. */
const TOKEN = /[!#$%&'*+.^_`|~\w-]+/y;
const TOKEN68 = /[\w.~+/-]+=*(?=[ \t]*(?:,|$))/y;
/** The characters that may be in quotes. */
const TEXT = /[\t -~\x80-\xff]/;
const BLANKS = /[ \t]*/y;
const SEPARATORS = /[ \t,]*/y;
const END_OF_ELEMENT = /[ \t]*(?:,|$)/y;

/** Parses one value of WWW-Authenticate. */
class ChallengeParser {
  private at = 0;

  constructor(private readonly value: string) {}

  *challenges(): Generator<Challenge> {
    this.take(SEPARATORS);
    while (this.at < this.value.length) {
      const scheme = this.take(TOKEN);
      if (scheme === "" || this.isNext("=")) return;
      const parameters = this.parameters();
      if (!parameters) return;
      yield { scheme: scheme.toLowerCase(), parameters };
    }
  }

  /** Reads to the start of the next challenge. @returns undefined if they are malformed */
  private parameters(): Map<string, string> | undefined {
    const parameters = new Map<string, string>();
    this.take(BLANKS);
    const hasToken = this.take(TOKEN68) !== "";
    for (;;) {
      this.take(SEPARATORS);
      const start = this.at;
      const name = this.take(TOKEN).toLowerCase();
      this.take(BLANKS);
      if (!this.isNext("=")) {
        this.at = start;
        return name !== "" || start === this.value.length ? parameters : undefined;
      }
      const value = this.parameterValue();
      if (hasToken || value === undefined || parameters.has(name) || parameters.size === MAX_PARAMETERS)
        return undefined;
      parameters.set(name, value);
    }
  }

  private parameterValue(): string | undefined {
    this.at++;
    this.take(BLANKS);
    const value = this.isNext('"') ? this.quotedString() : this.take(TOKEN) || undefined;
    const isWhole = value !== undefined && value.length <= MAX_VALUE && this.matches(END_OF_ELEMENT);
    return isWhole ? value : undefined;
  }

  /** Not by a regular expression, which needs quadratic time for a long text without an end. */
  private quotedString(): string | undefined {
    let text = "";
    while (text.length <= MAX_VALUE) {
      this.at++;
      if (this.isNext('"')) {
        this.at++;
        return text;
      }
      if (this.isNext("\\")) this.at++;
      const character = this.value[this.at];
      if (character === undefined || !TEXT.test(character)) return undefined;
      text += character;
    }
    return undefined;
  }

  private isNext(character: string): boolean {
    return this.value[this.at] === character;
  }

  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.value);
  }

  /** @returns the empty text if the pattern does not match here */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [taken = ""] = pattern.exec(this.value) ?? [];
    this.at += taken.length;
    return taken;
  }
}
