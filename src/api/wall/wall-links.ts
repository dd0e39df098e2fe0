import { Type } from "@sinclair/typebox";
import { iso } from "../../domain/iso-time.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import { PersonName, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable } from "../../domain/schemas/schema.ts";
import type { WallLink } from "../../domain/wall/wall.ts";
import { createToken } from "../../store/ids.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const shared = {
  id: Type.String(),
  name: Type.String(),
  tag: described(nullable(Type.String()), "Only monitors with this tag. `null` for all."),
  createdAt: Timestamp,
};

const example = {
  id: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  name: "Screen in the office",
  tag: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
const WallLinkBody = Type.Object(shared, named("WallLink", example));

const CreatedWallLinkBody = Type.Object(
  { ...shared, url: Type.String({ description: "The link. Only this response contains it." }) },
  named("CreatedWallLink"),
);

function bodyOf({ id, name, tag, createdAt }: WallLink) {
  return { id, name, tag, createdAt: iso(createdAt) };
}

const NewWallLink = Type.Object(
  { name: PersonName, tag: Type.Optional(nullable(Tag)) },
  { ...closed, examples: [{ name: "Screen in the office", tag: "web" }] },
);

/** Behavior 16.362 to 16.364. */
export function wallLinkRoutes({ store, clock, authenticator, bodies, baseUrl }: Services) {
  const link = operationsOf(
    { authenticator, bodies },
    {
      name: "WallLink",
      one: "a link of the wall",
      params: idOf("a link of the wall"),
      answer: WallLinkBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/wall-links", "Wall")
    .get(
      "",
      async ({ caller }) => ({ data: (await store.wallLinks.list(caller.organizationId)).map(bodyOf) }),
      link.list("Lists the links that open the wall without a key, without their tokens.", {
        summary: "List the links of the wall",
      }),
    )
    .post(
      "",
      async ({ authored, caller, body: { name, tag = null }, status }) => {
        const token = createToken();
        const values = { organizationId: caller.organizationId, name: name.trim(), tag, token };
        const created = await authored().wallLinks.create(values, clock.now());
        return status(201, { data: { ...bodyOf(created), url: `${baseUrl()}/wall/${token}` } });
      },
      link.create(
        NewWallLink,
        "Everybody who has the link sees the names, tags and statuses of the monitors, and nothing else.",
        {
          answer: CreatedWallLinkBody,
          example: {
            ...example,
            url: "https://stillup.example.com/wall/8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N",
          },
        },
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => ({
        data: await authored().wallLinks.delete(caller.organizationId, params.id),
      }),
      link.delete("The link shows nothing from now on."),
    );
}
