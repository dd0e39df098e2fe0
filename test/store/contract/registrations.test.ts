import { expect, test } from "bun:test";
import type { StoredRegistration } from "../../../src/domain/registration/registration.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, NOW } from "./world.ts";

const known: StoredRegistration = {
  domain: "example.com",
  registry: "rdap.example",
  facts: { expiresAt: "2027-03-04T05:06:07.000Z", registrar: "Registrar", statuses: ["ok"] },
  answeredAt: NOW,
  failingSince: null,
  notFound: 0,
  notFoundAt: null,
  hasNoDate: false,
  nextAt: NOW + 24 * HOUR,
  pausedUntil: null,
};

const failed: StoredRegistration = {
  ...known,
  ...{
    domain: "example.net",
    facts: null,
    answeredAt: null,
    failingSince: NOW,
    notFound: 2,
    notFoundAt: NOW,
  },
  ...{ hasNoDate: true, nextAt: NOW + HOUR, pausedUntil: NOW + HOUR },
};

contractSuite("registrations", (world) => {
  const registrations = () => world().store.registrations;

  test("behavior 20.70: what is known of a domain is stored, and replaced by what is known later", async () => {
    expect(await registrations().find("example.com")).toBeNull();
    await registrations().save(known);
    await registrations().save(failed);
    expect(await registrations().find("example.com")).toEqual(known);
    expect(await registrations().find("example.net")).toEqual(failed);
    const later = { ...failed, domain: known.domain };
    await registrations().save(later);
    expect(await registrations().find("example.com")).toEqual(later);
  });

  test("behavior 20.73: the pause of a registry is the longest one that is not over", async () => {
    const pauseAt = (now: number) => registrations().findPause("rdap.example", now);
    await registrations().save(known);
    expect(await pauseAt(NOW)).toBeNull();
    await registrations().save(failed);
    await registrations().save({ ...failed, domain: "example.org", pausedUntil: NOW + 1 });
    expect([await pauseAt(NOW), await pauseAt(NOW + HOUR)]).toEqual([NOW + HOUR, null]);
    expect(await registrations().findPause("other.example", NOW)).toBeNull();
  });

  test("domains that no look-up renews are deleted", async () => {
    await registrations().save(known);
    await registrations().save(failed);
    expect(await world().store.housekeeping.pruneRegistrations(NOW + 2 * HOUR)).toBe(false);
    expect(await registrations().find("example.net")).toBeNull();
    expect(await registrations().find("example.com")).toEqual(known);
  });
});
