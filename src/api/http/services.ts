import type { DeliverySettings } from "../../alerts/post.ts";
import type { Clock } from "../../clock.ts";
import type { Author } from "../../domain/accounts/audit.ts";
import type { PageAddresses, PageIcon } from "../../domain/pages/page-look.ts";
import type { Reader } from "../../domain/pages/reader-locale.ts";
import type { Logger } from "../../log.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import type { ChangeFeed } from "../../runner/change-feed.ts";
import type { TestLimit, testMonitor } from "../../runner/checks/monitor-test.ts";
import type { Recorder } from "../../runner/checks/recorder.ts";
import type { AccessRules } from "../../runner/configuration/access-rules.ts";
import type { AcknowledgeLinks } from "../../runner/deliveries/acknowledge-links.ts";
import type { AlertReview } from "../../runner/deliveries/alert-review.ts";
import type { PushIdentity } from "../../runner/deliveries/channel-test.ts";
import type { Discovery } from "../../runner/discovery/discovery.ts";
import type { HealthReport } from "../../runner/health.ts";
import type { RemoteProbes } from "../../runner/locations/remote-probes.ts";
import type { Gauges } from "../../runner/metrics/gauges.ts";
import type { Metrics } from "../../runner/metrics/metrics.ts";
import type { Installation } from "../../runner/node.ts";
import type { PageLock, PublicPages } from "../../runner/pages/public-pages.ts";
import type { Beginnings } from "../../runner/people/beginnings.ts";
import type { ForgottenPasswords, InviteMails } from "../../runner/people/link-mails.ts";
import type { Oidc } from "../../runner/people/oidc/oidc.ts";
import type { SignIn } from "../../runner/people/sign-in.ts";
import type { Registrations } from "../../runner/registrations/registrations.ts";
import type { Replays } from "../../runner/replays/replays.ts";
import type { Heartbeats } from "../../runner/runner.ts";
import type { Store } from "../../store/store.ts";
import type { BodyMemory } from "./request-body.ts";

/** A file of the web page. @property encoding the encoding of a compressed body */
interface PageFile {
  body: Uint8Array;
  type: string;
  encoding?: string;
}

/** The facts about a reader in the HTML file. */
type PageReader = Reader & { theme: "light" | "dark" | undefined; hasSession: boolean };

/** The request of the client, and what else the author of the changes has. */
export interface ForwardedAs extends Pick<Author, "undoes" | "isTried"> {
  request: Request;
}

/** The services that routes use. */
export interface Services {
  store: Store;
  clock: Clock;
  authenticator: Authenticator;
  signIn: SignIn;
  forgottenPasswords: ForgottenPasswords;
  inviteMails: InviteMails;
  /** Sign-ins with passkeys that have begun. */
  beginnings: Omit<Beginnings, "start">;
  /** The links that acknowledge an outage; absent if the settings leave them out. */
  acknowledgeLinks?: Pick<AcknowledgeLinks, "open"> | undefined;
  /** Sign-in by a provider, if the settings have one. */
  oidc?: Oidc | undefined;
  /** The memory for bodies that are being received. */
  bodies: BodyMemory;
  recorder: Recorder;
  heartbeats: Pick<Heartbeats, "catchUp">;
  /** After a write that changes what is notified, a route awaits `run` before it answers. */
  alertReview: Pick<AlertReview, "run" | "wake">;
  log: Logger;
  changeFeed: ChangeFeed;
  health: () => HealthReport;
  metrics: Metrics;
  processGauges: () => Promise<Gauges>;
  installation: Installation;
  remoteProbes: RemoteProbes;
  accessRules: AccessRules;
  /** The discovery of what runs here; absent in a demonstration. */
  discovery?: Pick<Discovery, "isOf" | "report"> | undefined;
  /** The registrations of the domains of monitors. */
  registrations: Pick<Registrations, "confirm" | "confirmDocument" | "shown">;
  replays: Pick<Replays, "run">;
  /** Limits concurrent tests of monitors and channels. */
  testLimit: TestLimit;
  /** Whether this is a demonstration, in which everybody is an owner. */
  isDemonstration?: boolean;
  /** Checks a target once and records nothing. */
  testMonitor: (target: Parameters<typeof testMonitor>[0]) => ReturnType<typeof testMonitor>;
  page: {
    /** The paths at which the web page is shown, as patterns. */
    paths: readonly string[];
    /** Finds a file of the web page, `/` for the page itself, in an encoding that the browser accepts, and for a reader. */
    find(path: string, accepted: string, reader?: PageReader): Promise<PageFile | undefined>;
    preloads(reader: PageReader): Promise<string[]>;
    version(): Promise<string>;
  };
  /** The public pages, and where they are. */
  publicPages: PublicPages & PageAddresses;
  pageLock: PageLock;
  /** The icon of all public pages; default: the icon of stillup. */
  pageIcon?: PageIcon | undefined;
  /** Cancels the checks that began before a change of their monitor, and starts those that are due. */
  refreshChecks: () => Promise<void>;
  /** Called when an e-mail to a subscriber of a public page may wait. */
  wakePageMails: () => void;
  /** The other end of the connection of a request: the client, or a proxy. */
  peerOf: (request: Request) => string;
  /** The IP address of the client of a request. */
  addressOf: (request: Request) => string;
  /** How channels are reached, for their test. */
  delivery: DeliverySettings;
  /** Who this server is for push services. */
  pushIdentity: Pick<PushIdentity, "publicKey">;
  /** Answers a request of this process as one of its client: with the rights, and for the audit log with the address, of `as`. */
  forward: (request: Request, as: ForwardedAs) => Promise<Response>;
  /** The base URL of the settings, if it is set. */
  publicUrl?: string | undefined;
  /** The URL at which users reach the server; known after it listens. */
  baseUrl: () => string;
  /** The path of the base URL: before each path in an answer. Empty for most servers. */
  basePath: string;
}
