import type { GreetingProtocol } from "../../../src/domain/monitors/kinds/tcp.ts";
import { runGreeting } from "../greetings/judge.ts";
import type { Shape } from "./shape.ts";

function check(name: string, size: number, compose: (size: number) => [GreetingProtocol, string]): Shape {
  return {
    protocol: "greetings",
    name,
    size,
    compose(size) {
      const [protocol, bytes] = compose(size);
      const cuts = name.endsWith("in single bytes") ? ("all" as const) : [];
      return () =>
        runGreeting({ protocol, starttls: false, sent: { bytes, cuts, arrival: "as read", end: "close" } });
    },
  };
}

export const greetingShapes: readonly Shape[] = [
  check("line in single bytes", 2000, (n) => ["imap", `* OK ${"x".repeat(n)}`]),
  check("reply of many lines", 15_000, (n) => ["smtp", "220-\r\n".repeat(n / 6)]),
  check("reply of many lines in single bytes", 15_000, (n) => ["ftp", `220-\r\n${"x\r\n".repeat(n / 3)}`]),
  check("lines before a version", 15_000, (n) => ["ssh", "\n".repeat(n)]),
  check("packet in single bytes", 2000, (n) => [
    "mysql",
    `${String.fromCharCode(n & 0xff, n >> 8)}\0\0\x0a${"8".repeat(n)}`,
  ]),
];
