import { expect, test } from "bun:test";
import { isOtherOrigin } from "../../../src/dashboard/web/server/server-view.tsx";

test.each([
  ["https://up.example.com", "https://up.example.com", false],
  ["https://up.example.com/stillup", "https://up.example.com", false],
  ["https://up.example.com", "http://up.example.com", true],
  ["https://up.example.com", "http://localhost:7070", true],
  ["http://127.0.0.1:7070", "http://192.168.1.5:7070", true],
  ["http://127.0.0.1:7070", "http://localhost:7070", false],
  ["http://127.0.0.1:7070", "http://[::1]:7070", false],
  ["http://127.0.0.1:7070", "http://localhost:8080", true],
])("behavior 16.339: %s and a browser at %s: %p", (baseUrl, origin, isOther) => {
  expect(isOtherOrigin(baseUrl, origin)).toBe(isOther);
});
