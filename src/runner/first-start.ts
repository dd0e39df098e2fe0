import type { Clock } from "../clock.ts";
import { inviteEnd } from "../domain/people/person.ts";
import type { Logger } from "../log.ts";
import { writeInitialKey } from "../store/data-dir.ts";
import { createKey, createPersonToken } from "../store/ids.ts";
import type { Claimant, Store } from "../store/store.ts";
import { withRetry } from "./loop.ts";
import type { InviteMails } from "./people/link-mails.ts";

/** How long a node may take to create the organization before another one does; milliseconds. */
const LEASE = 60_000;

/** A node that takes longer than this until it can write its key was suspended, and begins again; milliseconds. */
const MAX_CLAIM = 10_000;

/** How often a node looks whether another one has created the organization; milliseconds. */
const LOOK_EVERY = 250;

interface FirstStart {
  store: Pick<Store, "organizations" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  /** Where the key is written. Several nodes may share it. */
  dataDir: string;
  /** Whom a first start invites as an owner. */
  ownerEmail?: string | undefined;
}

/**
 * Creates the first organization and the file with its owner key, unless there is one. Of several nodes one creates it, and
 * the others wait for it and write no file.
 *
 * @returns the owner key if this node created it (behavior 9.14, 9.15, 12.22)
 */
export async function createFirstOrganization(parts: FirstStart): Promise<string | undefined> {
  const { store, clock } = parts;
  while (await store.organizations.isFirstStart()) {
    const key = await claimAndCreate(parts);
    if (key !== undefined) return key;
    await clock.sleep(LOOK_EVERY);
  }
  return undefined;
}

async function claimAndCreate({
  store,
  clock,
  claimant,
  dataDir,
  ownerEmail,
}: FirstStart): Promise<string | undefined> {
  const startedAt = clock.monotonic();
  const when = { now: clock.now(), lease: LEASE };
  if (!(await store.claims.take("first start", claimant(), when))) return undefined;
  // The node that had the claim before may have ended meanwhile.
  if (!(await store.organizations.isFirstStart())) return undefined;
  if (clock.monotonic() - startedAt > MAX_CLAIM) return undefined;
  const key = createKey();
  // The file precedes the organization: a crash in between leaves an invalid key, not an organization without a key.
  writeInitialKey(dataDir, key);
  return (await store.organizations.createDefault({ key, ownerEmail }, clock.now())) ? key : undefined;
}

/** The invitation of the first owner, for whoever shows it. @property expiresAt milliseconds since 1970 */
export interface OwnerInvite {
  email: string;
  url: string;
  expiresAt: number;
}

/** How long a node may take to show the link before another one shows another link; milliseconds. */
const SHOW_LEASE = 10_000;

interface Showing {
  store: Pick<Store, "organizations" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  log: Logger;
  baseUrl: () => string;
  mails: InviteMails;
}

/** Shows the link with which the first owner accepts the invitation (behavior 24.1 to 24.4). */
export interface OwnerInvites {
  /**
   * Shows the link, unless it was shown before. Of several nodes one shows it: while another node may be about to, this one waits in the
   * background.
   *
   * @param show prints or logs it
   */
  start(show: (invite: OwnerInvite) => void): Promise<void>;
  stop(): void;
}

/**
 * The database has only the hash of a link, and gets it after the link was shown: a process that dies in between leaves a link that is
 * not valid, and the next start shows another one.
 */
export function createOwnerInvites({
  store: { organizations, claims },
  clock,
  claimant,
  log,
  baseUrl,
  mails,
}: Showing): OwnerInvites {
  let isStopped = false;

  /** @returns whether nothing is left to show */
  async function attempt(show: (invite: OwnerInvite) => void): Promise<boolean> {
    if (!(await organizations.findUnshownInvite())) return true;
    const startedAt = clock.monotonic();
    const when = { now: clock.now(), lease: SHOW_LEASE };
    if (!(await claims.take("owner invitation", claimant(), when))) return false;
    // The node that had the claim before may have shown it meanwhile.
    const invite = await organizations.findUnshownInvite();
    if (!invite) return true;
    if (clock.monotonic() - startedAt > SHOW_LEASE / 2) return false;
    const { pk, email, organizationId } = invite;
    const token = createPersonToken();
    const inviteUrl = `${baseUrl()}/invite/${token}`;
    show({ email, url: inviteUrl, expiresAt: inviteEnd("invite", clock.now()) });
    const noted = () => organizations.noteInviteShown({ pk, token }, clock.now());
    if (await withRetry(clock, noted))
      mails.send({ organizationId, inviter: null, to: email, role: "owner", inviteUrl });
    else log.warn("the link of the first owner is not valid: another invitation has replaced it");
    return true;
  }

  async function isDone(show: (invite: OwnerInvite) => void): Promise<boolean> {
    try {
      return await attempt(show);
    } catch (err) {
      if (!isStopped) log.warn({ err }, "the link of the first owner could not be shown: retrying");
      return false;
    }
  }

  async function repeat(show: (invite: OwnerInvite) => void): Promise<void> {
    while (!isStopped) {
      await clock.sleep(LOOK_EVERY);
      if (isStopped || (await isDone(show))) return;
    }
  }

  return {
    async start(show) {
      if (!(await isDone(show))) void repeat(show);
    },
    stop() {
      isStopped = true;
    },
  };
}
