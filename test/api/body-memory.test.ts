import { expect, test } from "bun:test";
import { createBodyMemory } from "../../src/api/http/request-body.ts";
import { AppError } from "../../src/errors.ts";

test("behavior 7.73: the bodies of one organization get at most half of the memory, and leave some for others", () => {
  const memory = createBodyMemory(100);
  const own = memory.hold("own");
  own.add(30);
  own.add(20);
  expect(() => own.add(1)).toThrow(AppError);
  expect(() => memory.hold("own").add(1)).toThrow("too many bodies are being received: try again later");
  const other = memory.hold("other");
  other.add(25);
  expect(() => other.add(1)).toThrow(AppError);
  expect(() => memory.hold("third").add(12)).not.toThrow();
});

test("behavior 7.73: a body that ends frees its memory", () => {
  const memory = createBodyMemory(100);
  for (let body = 0; body < 10; body++) {
    using held = memory.hold("own");
    held.add(50);
  }
  memory.hold("own").add(50);
});
