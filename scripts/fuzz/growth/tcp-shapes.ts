import { runTcp } from "../tcp/judge.ts";
import type { TcpInput } from "../tcp/tcp.ts";
import type { Shape } from "./shape.ts";

function check(name: string, size: number, input: (size: number) => TcpInput): Shape {
  return {
    protocol: "tcp",
    name,
    size,
    compose(size) {
      const composed = input(size);
      return () => runTcp(composed);
    },
  };
}

const sent = (bytes: string, isSplit: boolean): TcpInput["sent"] => ({
  bytes,
  cuts: isSplit ? "all" : [],
  arrival: "as read",
  end: "close",
});

export const tcpShapes: readonly Shape[] = [
  check("greeting in single bytes", 15_000, (n) => ({
    contains: "never there",
    sent: sent("ab".repeat(n / 2), true),
  })),
  check("starts of the expected text", 15_000, (n) => ({
    contains: `${"a".repeat(200)}b`,
    sent: sent("a".repeat(n), false),
  })),
  check("long expected text", 400, (n) => ({
    contains: `${"a".repeat(n)}b`,
    sent: sent("a".repeat(4 * n), true),
  })),
];
