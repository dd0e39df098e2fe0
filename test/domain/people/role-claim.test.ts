import { describe, expect, test } from "bun:test";
import type { Role } from "../../../src/domain/accounts/role.ts";
import { parseIssuer, parseRoleMapping, parseScopes, roleOf } from "../../../src/domain/people/oidc-roles.ts";

const roles = new Map<string, Role>([
  ["admins", "owner"],
  ["ops", "admin"],
  ["staff", "viewer"],
]);

describe("behavior 19.70: a role claim", () => {
  test.each<[name: string, claim: string, claims: Record<string, unknown>, role: Role | undefined]>([
    ["a string", "role", { role: "ops" }, "admin"],
    ["an array", "groups", { groups: ["other", "ops"] }, "admin"],
    ["several, of which the highest counts", "groups", { groups: ["staff", "admins", "ops"] }, "owner"],
    ["a path", "realm_access.roles", { realm_access: { roles: ["staff"] } }, "viewer"],
    ["a name with dots", "https://example.com/groups", { "https://example.com/groups": "ops" }, "admin"],
    ["a name with dots before a path", "a.b", { "a.b": "staff", a: { b: "admins" } }, "viewer"],
    ["nothing", "groups", {}, undefined],
    ["an empty array", "groups", { groups: [] }, undefined],
    ["another case", "groups", { groups: ["Ops", "OPS"] }, undefined],
    ["blanks around it", "groups", { groups: [" ops "] }, undefined],
    ["groups in one string", "groups", { groups: "ops,admins" }, undefined],
    ["an array with something else", "groups", { groups: ["ops", null] }, undefined],
    ["an array in an array", "groups", { groups: [["ops"]] }, undefined],
    ["an object", "groups", { groups: { ops: true } }, undefined],
    ["a path through a string", "groups.length", { groups: "ops" }, undefined],
    ["a path through an array", "groups.0", { groups: ["ops"] }, undefined],
    ["a name that every object has", "constructor.name", { groups: "ops" }, undefined],
    ["a prototype", "__proto__", JSON.parse('{"groups":"ops"}'), undefined],
  ])("that is %s", (_, claim, claims, role) => {
    expect(roleOf(claims, { claim, roles })).toBe(role as Role);
  });
});

describe("behavior 19.60: settings of a provider", () => {
  test.each([
    ["https://idp.example.com", true],
    ["https://idp.example.com/application/o/stillup/", true],
    ["http://127.0.0.1:8080/realms/main", true],
    ["http://localhost:8080", true],
    ["http://[::1]:8080", true],
    ["http://idp.example.com", false],
    ["http://127.0.0.1.example.com", false],
    ["http://10.0.0.1", false],
    ["https://user:pass@idp.example.com", false],
    ["https://idp.example.com?x=1", false],
    ["https://idp.example.com#x", false],
    ["idp.example.com", false],
    ["ftp://idp.example.com", false],
  ])("the issuer %p is accepted: %p", (text, isAccepted) => {
    expect(parseIssuer(text)).toBe(isAccepted ? text : undefined);
  });

  test.each([
    ["ops=admin", [["ops", "admin"]]],
    [
      " ops = admin , staff=viewer",
      [
        ["ops", "admin"],
        ["staff", "viewer"],
      ],
    ],
    ["cn=ops=owner", [["cn=ops", "owner"]]],
    ["ops=root", undefined],
    ["ops", undefined],
    ["=admin", undefined],
    ["ops=admin,", undefined],
    ["ops=admin,ops=viewer", undefined],
    ["ops=Admin", undefined],
  ])("the roles %p are read, or refused", (text, roles) => {
    expect(parseRoleMapping(text)).toEqual(roles && (new Map(roles as [string, Role][]) as never));
  });

  test.each([
    ["openid", "openid"],
    ["openid  email", "openid email"],
    ["openid,groups", "openid groups"],
    ["email profile", undefined],
    ["", undefined],
    ['openid "x"', undefined],
  ])("the scopes %p are read, or refused", (text, scopes) => {
    expect(parseScopes(text)).toBe(scopes as string);
  });
});
