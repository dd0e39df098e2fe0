import { expect, test } from "bun:test";
import { relyingPartyOf } from "../../../../src/domain/people/webauthn/client-data.ts";

test.each([
  ["https://up.example.com", { id: "up.example.com", origin: "https://up.example.com" }],
  ["https://Up.Example.com:8443/", { id: "up.example.com", origin: "https://up.example.com:8443" }],
  ["http://localhost:7850", { id: "localhost", origin: "http://localhost:7850" }],
  ["https://localhost", { id: "localhost", origin: "https://localhost" }],
  ["https://bücher.example", { id: "xn--bcher-kva.example", origin: "https://xn--bcher-kva.example" }],
  ["http://up.example.com", undefined],
  ["http://up.localhost", undefined],
  ["http://127.0.0.1:7850", undefined],
  ["https://192.0.2.1", undefined],
  ["https://3221225985", undefined],
  ["https://0xc0.0.2.1", undefined],
  ["https://[2001:db8::1]", undefined],
])("behavior 19.50: the relying party of %s is %p", (baseUrl, party) => {
  expect(relyingPartyOf(baseUrl)).toEqual(party);
});
