import { expect, test } from "bun:test";
import { providerName } from "../../../src/domain/people/provider-name.ts";

test.each([
  ["https://accounts.google.com", "Google"],
  ["https://login.microsoftonline.com/7f0c/v2.0", "Microsoft"],
  ["https://gitlab.com", "GitLab"],
  ["https://gitlab.com.example.com/", "gitlab.com.example.com"],
  ["https://idp.example.com:8443/realms/main", "idp.example.com:8443"],
])("behavior 19.95: the provider %s has the name %s", (issuer, name) => {
  expect(providerName(issuer)).toBe(name);
});
