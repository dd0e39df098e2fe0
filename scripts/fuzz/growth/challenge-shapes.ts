import { challengesIn } from "../../../src/probes/sign-in/challenges.ts";
import type { Shape } from "./shape.ts";

/** All that is not the body may have 64 KiB. */
const OF_HEADERS = 15_000;

function challenge(name: string, start: string, repeated: string): Shape {
  return {
    protocol: "http",
    name: `challenge: ${name}`,
    size: OF_HEADERS,
    compose(size) {
      const value = start + repeated.repeat(size / repeated.length);
      return () => challengesIn([["WWW-Authenticate", value]]);
    },
  };
}

/** Values of WWW-Authenticate. A text in quotes has a limit, which it reaches soon. */
export const challengeShapes: readonly Shape[] = [
  challenge("long scheme", "", "a"),
  challenge("token without an end", "Digest ", "a"),
  challenge("token before a space", "Digest ", "a "),
  challenge("equal signs", "Digest a", "="),
  challenge("quoted text without an end", 'Digest a="', "a"),
  challenge("backslashes", 'Digest a="', "\\"),
  challenge("commas", "Digest ", ","),
  challenge("spaces", "Digest", " "),
  challenge("spaces after a value", "Digest a=b", " "),
  challenge("many parameters", "Digest ", "a=b,"),
  challenge("many challenges", "", "Digest a=b,"),
  challenge("open quotes", "Digest ", 'a="'),
];
