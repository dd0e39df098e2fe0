import { describe, expect, test } from "bun:test";
import { createPace } from "../../../src/runner/deliveries/dispatcher.ts";

const channel = (channelPk: number) => ({ channelPk });

function paceAt() {
  let now = 5000;
  const pace = createPace({ monotonic: () => now });
  return {
    ...pace,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("behavior 14.67: the pace of a channel", () => {
  test("is two messages at once, and then one each second", () => {
    const pace = paceAt();
    pace.sent(1);
    expect(pace.waitOf(channel(1))).toBe(0);
    pace.sent(1);
    expect(pace.waitOf(channel(1))).toBe(1000);
    for (let message = 0; message < 3; message++) {
      pace.pass(999);
      expect(pace.waitOf(channel(1))).toBe(1);
      pace.pass(1);
      expect(pace.waitOf(channel(1))).toBe(0);
      pace.sent(1);
    }
    pace.pass(2000);
    pace.sent(1);
    expect(pace.waitOf(channel(1))).toBe(0);
  });

  test("is its own", () => {
    const pace = paceAt();
    for (let message = 0; message < 5; message++) pace.sent(1);
    expect(pace.waitOf(channel(1))).toBe(4000);
    expect(pace.waitOf(channel(2))).toBe(0);
    expect(pace.size()).toBe(1);
  });

  test("is forgotten after a pause", () => {
    const pace = paceAt();
    for (let at = 1; at <= 50; at++) pace.sent(at);
    pace.pass(1000);
    pace.sent(51);
    expect(pace.size()).toBe(1);
  });
});
