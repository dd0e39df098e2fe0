import { notFound } from "../../errors.ts";
import type { Role } from "../accounts/role.ts";
import { fault } from "../faults/fault.ts";
import type { Method, Person, PersonState } from "./person.ts";

/**
 * The standing of a person in one organization (behavior 19.100). A person is one row for the whole server. The standing alone decides
 * which parts of the person, their passkeys, identities and invitations an organization may read and write.
 */
export const STANDINGS = ["stranger", "invited", "withdrawn", "member", "suspended"] as const;
export type Standing = (typeof STANDINGS)[number];

/** @property acceptedAt when the person became a member, in milliseconds since 1970; null before */
export interface Membership {
  state: PersonState;
  acceptedAt: number | null;
}

export function standingOf(membership: Membership | undefined): Standing {
  if (!membership) return "stranger";
  const { state, acceptedAt } = membership;
  // A node of an earlier version writes no time.
  if (state === "active") return "member";
  if (state === "invited") return "invited";
  return acceptedAt === null ? "withdrawn" : "suspended";
}

/** Whether the person has agreed to belong to the organization, and has not left it. */
export function hasAccepted(membership: Membership | undefined): boolean {
  return RIGHTS[standingOf(membership)].reads.methods === "person";
}

/** The parts of a person that only some organizations see. Each organization has its own `role`, `state` and `createdAt` of a person. */
type Part = "name" | "email" | "methods" | "lastSeenAt";

/** Whose value an organization reads: its own, the value of the person, or the first of the two that exists. */
type Source = "nobody" | "organization" | "person" | "organization, else person";

/** The writes of an organization about a person. No other write to a person uses the rights of an organization. */
export const WRITES = ["create", "invite", "rename", "changeRole", "enable", "disable", "remove"] as const;
export type Write = (typeof WRITES)[number];

/** Null if it is allowed, otherwise the error. */
type Refusal = (() => Error) | null;

interface Rights {
  reads: { [P in Part]: Source };
  writes: { [W in Write]: Refusal };
}

const isHere: Refusal = () => fault("personIsHere", { field: "email" });
const hasAnswered: Refusal = () => fault("hasAccepted", {});
const hasNotAccepted: Refusal = () => fault("hasNotAccepted", { field: "state" });

const OWN_WORDS: Rights["reads"] = {
  name: "organization",
  email: "organization",
  methods: "nobody",
  lastSeenAt: "nobody",
};
const OF_PERSON: Rights["reads"] = {
  name: "organization, else person",
  email: "person",
  methods: "person",
  lastSeenAt: "person",
};

const ANY = { create: isHere, rename: null, changeRole: null, disable: null, remove: null } as const;

const RIGHTS: { [S in Standing]: Rights } = {
  stranger: {
    reads: { name: "nobody", email: "nobody", methods: "nobody", lastSeenAt: "nobody" },
    writes: {
      create: null,
      invite: notFound,
      rename: notFound,
      changeRole: notFound,
      enable: notFound,
      disable: notFound,
      remove: notFound,
    },
  },
  // As if nobody were behind the address.
  invited: { reads: OWN_WORDS, writes: { ...ANY, invite: null, enable: hasNotAccepted } },
  // Disabled before they accepted.
  withdrawn: { reads: OWN_WORDS, writes: { ...ANY, invite: hasAnswered, enable: hasNotAccepted } },
  member: { reads: OF_PERSON, writes: { ...ANY, invite: hasAnswered, enable: null } },
  // Disabled after they accepted.
  suspended: { reads: OF_PERSON, writes: { ...ANY, invite: hasAnswered, enable: null } },
};

/** @throws AppError `not_found`, or `invalid` with the reason, if the organization must not do this */
export function assertMay(write: Write, membership: Membership | undefined): void {
  const refusal = RIGHTS[standingOf(membership)].writes[write];
  if (refusal) throw refusal();
}

/** A person with what one organization wrote about them. @property own null if it wrote nothing */
export interface KnownPerson extends Membership {
  id: string;
  role: Role;
  createdAt: number;
  own: { name: string | null; email: string | null };
  person: { name: string | null; email: string; methods: Method[]; lastSeenAt: number | null };
}

/** A person as one organization sees them. */
export function seenPerson({ id, role, state, createdAt, acceptedAt, own, person }: KnownPerson): Person {
  const { reads } = RIGHTS[standingOf({ state, acceptedAt })];
  const isOfPerson = (part: Part) => reads[part] === "person";
  const name = {
    nobody: null,
    organization: own.name,
    person: person.name,
    "organization, else person": own.name ?? person.name,
  }[reads.name];
  return {
    ...{ id, name },
    email: isOfPerson("email") ? person.email : (own.email ?? person.email),
    ...{ role, state },
    methods: isOfPerson("methods") ? person.methods : [],
    lastSeenAt: isOfPerson("lastSeenAt") ? person.lastSeenAt : null,
    createdAt,
  };
}
