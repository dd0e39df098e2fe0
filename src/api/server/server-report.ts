import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { version } from "../../../package.json";
import { sendTestMail } from "../../alerts/account-mails.ts";
import { type Caller, keyCommand } from "../../domain/accounts/api-key.ts";
import { usesPlans } from "../../domain/accounts/organization.ts";
import { permits } from "../../domain/accounts/role.ts";
import { mailAdvice } from "../../domain/alerts/mail-advice.ts";
import { isoOrNull } from "../../domain/iso-time.ts";
import { Email, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { NodeBody, nodeBody } from "../health.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** The server itself, as the page shows it, and the test of its mail server. */
export function serverRoutes(services: Services) {
  return new Elysia({ normalize: false }).use(reportRoutes(services)).use(mailTestRoutes(services));
}

/** Behavior 16.330 to 16.332. */
function reportRoutes(services: Services) {
  return resource(services, "/server", "Server").get(
    "",
    async ({ caller }) => ({ data: await serverBody(services, caller) }),
    {
      detail: answering({
        operationId: "getServer",
        summary: "Get the server",
        description:
          "Returns what this server is and can do. On several nodes: of the node that answers. `database` is for admins and " +
          "owners, and `owner` for owners.",
        answer: ServerBody,
        example: serverExample,
      }),
    },
  );
}

const MailTest = Type.Object({ to: Email }, { ...closed, examples: [{ to: "ops@example.com" }] });

const MailTestBody = Type.Object(
  {
    outcome: oneOf(["delivered", "failed"]),
    error: nullable(Type.String({ description: "Why it failed." })),
    advice: nullable(Type.String({ description: "What the operator can do." })),
  },
  named("MailTest"),
);

/** Behavior 16.333. */
function mailTestRoutes({ store, authenticator, bodies, delivery, testLimit, clock }: Services) {
  return resource({ authenticator, store }, "/server", "Server").post(
    "/mail-test",
    async ({ caller, body: { to } }) => {
      const { language } = await store.organizations.findSettings(caller.organizationId);
      const attempt = await testLimit.run(caller.organizationId, () =>
        sendTestMail({ to, language }, delivery, clock.now()),
      );
      const { outcome } = attempt;
      const error = attempt.outcome === "failed" ? attempt.error : null;
      return { data: { outcome, error, advice: mailAdvice(attempt) } };
    },
    {
      ...bodyFor({ authenticator, bodies }, MailTest, { role: "admin" }),
      detail: answering({
        operationId: "testMail",
        summary: "Send a test e-mail",
        description:
          "Sends one e-mail immediately, without retries, through the mail server of the node that answers. It counts as a test " +
          "of a channel.",
        answer: MailTestBody,
        example: {
          outcome: "failed",
          error: "the mail server answered 535",
          advice: "The mail server rejected the user or the password in --smtp-url.",
        },
        errors: [403, 413, 422],
      }),
    },
  );
}

const MailBody = Type.Object(
  {
    configured: Type.Boolean({ description: "Whether this server can send e-mail." }),
    from: nullable(Type.String({ description: "The sender of its e-mails." })),
  },
  closed,
);

const Bytes = Type.Integer({ minimum: 0 });

const DatabaseBody = Type.Object(
  {
    engine: oneOf(["sqlite", "postgresql"]),
    bytes: Bytes,
    freeBytes: described(nullable(Bytes), "Of the disk; null for PostgreSQL."),
    lastBackupAt: nullable(Timestamp),
  },
  closed,
);

const OwnerBody = Type.Object(
  {
    dataDir: nullable(Type.String({ description: "Null for PostgreSQL." })),
    nodes: Type.Array(NodeBody),
    keyCommand: Type.String({ description: "The command that creates an owner key on the server." }),
  },
  closed,
);

const ServerBody = Type.Object(
  {
    version: Type.String(),
    baseUrl: Type.String({ description: "The URL of check-in URLs and of links in notifications." }),
    mail: MailBody,
    network: described(nullable(oneOf(["online", "offline"])), "Null without `--network-check`."),
    ping: Type.Optional(
      described(
        Type.Literal("closed"),
        "There if monitors are to be pinged and the system does not let stillup ping.",
      ),
    ),
    usesPlans: Type.Boolean({
      description: "False if there is one organization, whose plan and subscription allow everything.",
    }),
    database: described(nullable(DatabaseBody), "Null for viewers."),
    owner: described(nullable(OwnerBody), "Null except for owners."),
  },
  named("Server"),
);

const serverExample: Static<typeof ServerBody> = {
  version: "2.0.0",
  baseUrl: "https://stillup.example.com",
  mail: { configured: true, from: "stillup@example.com" },
  network: null,
  usesPlans: false,
  database: {
    engine: "sqlite",
    bytes: 48_234_496,
    freeBytes: 812_346_195_968,
    lastBackupAt: "2026-11-21T03:00:00.000Z",
  },
  owner: {
    dataDir: "/var/lib/stillup",
    nodes: [
      {
        name: "stillup-1",
        version: "2.0.0",
        lastSeenAt: "2026-11-21T10:00:00.000Z",
        checksPerSecond: 12,
      },
    ],
    keyCommand: "stillup keys create --name me --data-dir /var/lib/stillup",
  },
};

/** The server for a caller: less for a lower role. */
async function serverBody(services: Services, { role, organizationId }: Caller) {
  const { store, delivery, baseUrl, health } = services;
  const { network = null, ping } = health();
  const organizations = await store.organizations.list();
  const onlyIfSeveral = organizations.length > 1 ? organizationId : undefined;
  return {
    version,
    baseUrl: baseUrl(),
    mail: { configured: delivery.smtp !== undefined, from: delivery.smtp?.from ?? null },
    network,
    ...(ping && { ping }),
    usesPlans: usesPlans(organizations),
    database: permits(role, "admin") ? await databaseBody(services) : null,
    owner: permits(role, "owner") ? await ownerBody(services, onlyIfSeveral) : null,
  };
}

async function databaseBody({ installation }: Services): Promise<Static<typeof DatabaseBody>> {
  const { bytes, freeBytes } = await installation.storage();
  return {
    engine: installation.place.isEmbedded ? "sqlite" : "postgresql",
    bytes,
    freeBytes,
    lastBackupAt: isoOrNull(installation.lastBackup()),
  };
}

async function ownerBody(
  { store, clock, installation: { place } }: Services,
  organizationId: string | undefined,
): Promise<Static<typeof OwnerBody>> {
  return {
    dataDir: place.isEmbedded ? place.dataDir : null,
    nodes: (await store.nodes.list(clock.now())).map(nodeBody),
    keyCommand: keyCommand(place, organizationId),
  };
}
