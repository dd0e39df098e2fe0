import { createHash } from "node:crypto";
import { type Network, sharedNetwork } from "../connections/network.ts";
import { systemProbeClock } from "../probe-clock.ts";
import { type OAuthConfig, requestToken } from "./token-request.ts";

/** How long the request of a token may take, in milliseconds. The claim of a check lasts longer: see `CLAIM_MARGIN`. */
export const TOKEN_TIMEOUT = 5000;

/** A token is not used in the last minute before its end; milliseconds. */
const MARGIN = 60_000;

/** How long a token without an end is kept, in milliseconds. */
const DEFAULT_LIFE = 5 * 60_000;

/** The characters of all tokens that are kept, and what each of them takes in addition. */
const MAX_SIZE = 16 * 1024 * 1024;
const ENTRY_SIZE = 500;

/** @property until milliseconds since 1970 */
interface Kept {
  token: string;
  until: number;
}

interface Parts {
  request: typeof requestToken;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The tokens of this thread. Monitors with equal settings share one, and one request for it. */
export class TokenCache {
  /** By the hash of the settings; the token that was used last is the last one. */
  private readonly kept = new Map<string, Kept>();
  private readonly running = new Map<string, Promise<string>>();
  private size = 0;

  constructor(private readonly parts: Parts = { request: requestToken, now: systemProbeClock.now }) {}

  /**
   * @param refused a token that the target does not accept
   * @returns at once if it is kept
   * @throws like `requestToken`
   */
  token(config: OAuthConfig, network: Network, refused?: string): string | Promise<string> {
    const key = keyOf(config);
    const kept = this.find(key);
    if (kept !== undefined && kept !== refused) return kept;
    let running = this.running.get(key);
    if (!running) {
      running = this.request(key, config, network).finally(() => this.running.delete(key));
      this.running.set(key, running);
    }
    return running;
  }

  private async request(key: string, config: OAuthConfig, network: Network): Promise<string> {
    const { request, now } = this.parts;
    const askedAt = now();
    const { token, seconds } = await request(config, sharedNetwork(network), TOKEN_TIMEOUT);
    const life = seconds === undefined ? DEFAULT_LIFE : seconds * 1000 - MARGIN;
    this.keep(key, { token, until: askedAt + life });
    return token;
  }

  private find(key: string): string | undefined {
    const kept = this.kept.get(key);
    if (!kept) return undefined;
    this.delete(key, kept);
    if (this.parts.now() >= kept.until) return undefined;
    this.keep(key, kept);
    return kept.token;
  }

  private keep(key: string, kept: Kept): void {
    const before = this.kept.get(key);
    if (before) this.delete(key, before);
    if (!(this.parts.now() < kept.until)) return;
    this.kept.set(key, kept);
    this.size += sizeOf(kept);
    for (const [oldest, one] of this.kept) {
      if (this.size <= MAX_SIZE) break;
      this.delete(oldest, one);
    }
  }

  private delete(key: string, kept: Kept): void {
    this.kept.delete(key);
    this.size -= sizeOf(kept);
  }
}

function sizeOf({ token }: Kept): number {
  return token.length + ENTRY_SIZE;
}

/** All that a request depends on. The hash holds no secret that could appear in a dump. */
function keyOf({ oauth2, verifyTls = true, ipFamily, proxy }: OAuthConfig): string {
  const { tokenUrl, clientId, clientSecret, scope, audience } = oauth2;
  const settings = [tokenUrl, clientId, clientSecret, scope, audience, verifyTls, ipFamily, proxy];
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64");
}

export const tokens = new TokenCache();
