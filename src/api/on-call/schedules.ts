import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { permits } from "../../domain/accounts/role.ts";
import { WEEKDAYS } from "../../domain/alerts/hours.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import {
  listTurns,
  listTurnsFrom,
  MAX_AHEAD,
  type Override,
  onCallAt,
} from "../../domain/on-call/rotation.ts";
import {
  availability,
  NewOverride,
  NewSchedule,
  rangeOf,
  type Schedule,
  ScheduleChanges,
  shownLayers,
  timeOf,
} from "../../domain/on-call/schedule.ts";
import { StoredRef, Time, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { forbidden, invalid, notFound } from "../../errors.ts";
import { calendarText } from "../../status-page/calendar.ts";
import { createToken } from "../../store/ids.ts";
import type { Rostered } from "../../store/on-call/schedules.ts";
import { allowed, bodyFor, operationsOf, resource } from "../auth/authentication.ts";
import { answering, creation, deletion, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const ScheduleId = idOf("a schedule");

const overrideExample = {
  id: "2mTq7YkWcXbZ9rLdPvNf4s",
  personId: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  startsAt: "2026-12-24T17:00:00.000Z",
  endsAt: "2026-12-25T08:00:00.000Z",
};
const OverrideBody = Type.Object(
  { id: Type.String(), personId: Type.String(), startsAt: Timestamp, endsAt: Timestamp },
  named("ScheduleOverride", overrideExample),
);

export const example = {
  id: "Kd83hTzPq0WmXe5LrYvB2n",
  name: "Operations",
  timezone: "Europe/Berlin",
  layers: [{ personIds: ["5Y8kqvJfZk1q0TDgYxQ2Wd"], every: "week", startsAt: "2026-11-23T08:00:00.000Z" }],
  overrides: [overrideExample],
  ref: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};

const { personIds, every } = NewSchedule.properties.layers.items.properties;

const WindowBody = Type.Object(
  {
    days: Type.Array(oneOf(WEEKDAYS)),
    from: Type.String(),
    to: Type.String({ description: "On the next day, if it is not after `from`." }),
  },
  named("ScheduleWindow"),
);
const hours = Type.Optional(Type.Object({ windows: Type.Array(WindowBody) }, closed));

/** Behavior 23.20. */
export const ScheduleBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timezone: Type.String(),
    layers: Type.Array(
      Type.Object(
        { personIds: Type.Array(personIds.items), every, startsAt: Timestamp, hours },
        named("ScheduleLayer"),
      ),
    ),
    overrides: Type.Array(OverrideBody, { description: "Those that begin first come first." }),
    ref: StoredRef,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named("Schedule", example),
);

export function scheduleBody({ layers, overrides, createdAt, updatedAt, ...schedule }: Schedule) {
  return {
    ...schedule,
    layers: shownLayers(layers),
    overrides: overrides.map(overrideBody),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

function overrideBody({ startsAt, endsAt, ...override }: Override) {
  return { ...override, startsAt: iso(startsAt), endsAt: iso(endsAt) };
}

const now = {
  personId: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  name: "Ana",
  until: "2026-11-30T08:00:00.000Z",
};
const OnCallBody = nullable(
  Type.Object(
    {
      personId: Type.String(),
      name: Type.String(),
      until: nullable(
        described(Timestamp, "When somebody else, or nobody, is on call; `null` if not within 92 days."),
      ),
    },
    named("OnCall"),
  ),
);
const TurnBody = Type.Object(
  { personId: nullable(Type.String()), from: Timestamp, to: Timestamp },
  named("OnCallTurn"),
);

const OnCallQuery = Type.Object(
  {
    at: Type.Optional(parameter(Time, "The moment. Default: now.")),
    from: Type.Optional(parameter(Time, "With `to`: lists who is on call from then on.")),
    to: Type.Optional(parameter(Time, "The end of the list, at most 92 days after `from`.")),
  },
  open,
);

const OverrideId = Type.Object({
  ...ScheduleId.properties,
  override: Type.String({ description: "The ID of an override of it." }),
});

/** A person may be allowed whatever their role is, a key only by its role. */
const ofAnyPerson = { role: "admin", ofPeople: "viewer" } as const;

/** Behavior 23.26 to 23.33. */
export function scheduleRoutes({ store, clock, authenticator, bodies, baseUrl }: Services) {
  const schedule = operationsOf(
    { authenticator, bodies },
    {
      name: "Schedule",
      one: "a schedule",
      params: ScheduleId,
      answer: ScheduleBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/schedules", "On call")
    .get(
      "",
      async ({ caller }) => ({ data: (await store.schedules.list(caller.organizationId)).map(scheduleBody) }),
      schedule.list("Lists all schedules of the organization, oldest first."),
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        const created = await authored().schedules.create(caller.organizationId, body, clock.now());
        return status(201, { data: scheduleBody(created) });
      },
      schedule.create(
        NewSchedule,
        "People take turns in each layer. An override counts first, then the first layer that is in its hours. Who is disabled " +
          "is left out: the next person of the list takes the turn.",
      ),
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: scheduleBody(await store.schedules.find(caller.organizationId, params.id)),
      }),
      schedule.read("Returns the schedule with its overrides."),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body }) => {
        const updated = await authored().schedules.update(
          caller.organizationId,
          params.id,
          body,
          clock.now(),
        );
        return { data: scheduleBody(updated) };
      },
      schedule.update(
        ScheduleChanges,
        "Changes only the fields that are sent. `layers` replaces all layers.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => ({
        data: await authored().schedules.delete(caller.organizationId, params.id),
      }),
      schedule.delete("A schedule that bindings of monitors use is a 422.", { errors: [422] }),
    )
    .get(
      "/:id/on-call",
      async ({ caller, params, query: { at, from, to } }) => {
        const isList = from !== undefined || to !== undefined;
        if (isList && (from === undefined || to === undefined || at !== undefined))
          throw invalid("from and to must be given together, without at");
        const range = from !== undefined && to !== undefined ? rangeOf({ from, to }) : undefined;
        const rostered = await store.schedules.findRostered(caller.organizationId, params.id);
        if (range) return { data: turnsOf(rostered, range) };
        return { data: onCallBody(rostered, at === undefined ? clock.now() : timeOf(at)) };
      },
      {
        params: ScheduleId,
        query: OnCallQuery,
        detail: answering({
          operationId: "getOnCall",
          summary: "Get who is on call",
          description:
            "Who is on call at a moment, or `null`. With `from` and `to` it is a list without gaps: `personId` is `null` where " +
            "nobody is on call.",
          answer: Type.Union([OnCallBody, Type.Array(TurnBody)]),
          example: now,
          errors: [404, 422],
        }),
      },
    )
    .post(
      "/:id/overrides",
      async ({ authored, caller, params, body, status }) => {
        assertMayOverride(caller, body.personId);
        const place = { organizationId: caller.organizationId, scheduleId: params.id };
        const created = await authored().schedules.createOverride(place, body, clock.now());
        return status(201, { data: overrideBody(created) });
      },
      {
        params: ScheduleId,
        ...bodyFor({ authenticator, bodies }, NewOverride, ofAnyPerson),
        detail: creation({
          operationId: "createScheduleOverride",
          summary: "Put a person on call for a time",
          description:
            "Any person may do this for themselves, an admin for everybody. Of several overrides, the one that began last counts.",
          answer: OverrideBody,
          errors: [404],
        }),
      },
    )
    .delete(
      "/:id/overrides/:override",
      async ({ authored, caller, params }) => {
        const { organizationId } = caller;
        const place = { organizationId, scheduleId: params.id, id: params.override };
        const { personId } = await store.schedules.findOverride(place);
        assertMayOverride(caller, personId);
        return { data: await authored().schedules.deleteOverride(place, clock.now()) };
      },
      {
        params: OverrideId,
        beforeHandle: allowed(ofAnyPerson),
        detail: deletion({
          operationId: "deleteScheduleOverride",
          summary: "Delete an override",
          description: "Any person may delete their own, an admin all.",
        }),
      },
    )
    .post(
      "/:id/calendar",
      async ({ authored, caller, params, status }) => {
        const token = createToken();
        const given = { organizationId: caller.organizationId, id: params.id, token };
        await authored().schedules.setCalendarToken(given, clock.now());
        return status(201, { data: { url: `${baseUrl()}/on-call/${token}.ics` } });
      },
      {
        params: ScheduleId,
        beforeHandle: allowed({ role: "admin" }),
        detail: creation({
          operationId: "createScheduleCalendar",
          summary: "Create the address of the calendar",
          description:
            "Only this response contains the address. Everybody who has it can read who is on call in the next 92 days. The " +
            "previous address ends.",
          answer: CalendarBody,
          example: {
            url: "https://stillup.example.com/on-call/8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N.ics",
          },
          errors: [404],
        }),
      },
    );
}

const CalendarBody = Type.Object({ url: Type.String() }, { ...closed, title: "ScheduleCalendar" });

/** @throws AppError `forbidden` for an override of somebody else without the role for it */
function assertMayOverride({ role, actor }: Caller, personId: string): void {
  const isOwn = actor.type === "person" && actor.id === personId;
  if (!isOwn && !permits(role, "admin")) throw forbidden();
}

function onCallBody({ schedule, people }: Rostered, at: number) {
  const found = onCallAt(schedule, at, availability(people));
  if (!found) return null;
  const { personId, until } = found;
  return { personId, name: nameIn(people, personId), until: isoOrNull(until) };
}

function turnsOf({ schedule, people }: Rostered, range: { from: number; to: number }) {
  return listTurns(schedule, range, availability(people)).map(({ personId, from, to }) => {
    return { personId, from: iso(from), to: iso(to) };
  });
}

function nameIn(people: Rostered["people"], id: string): string {
  return people.find((person) => person.id === id)?.name ?? "";
}

/** Behavior 23.33: public, for whoever has the token. */
export function onCallCalendarRoutes({ store, clock }: Services) {
  return new Elysia({ normalize: false }).get(
    "/on-call/:file",
    async ({ params: { file }, set }) => {
      const [, token] = /^([\w-]+)\.ics$/.exec(file) ?? [];
      if (token === undefined) throw notFound();
      const { schedule, people } = await store.schedules.findByCalendar(token);
      const now = clock.now();
      const turns = listTurnsFrom(schedule, now, now + MAX_AHEAD, availability(people));
      set.headers["content-type"] = "text/calendar; charset=utf-8";
      set.headers["cache-control"] = "private, no-cache";
      return calendarText({
        id: "on call",
        title: `On call: ${schedule.name}`,
        events: turns.flatMap(({ personId, from: startsAt, to: endsAt }) => {
          if (personId === null) return [];
          const uid = `${schedule.id}-${personId}-${startsAt.toString(36)}`;
          const summary = `${nameIn(people, personId)}: ${schedule.name}`;
          return [{ uid, updatedAt: schedule.updatedAt, startsAt, endsAt, summary, isBusy: true }];
        }),
      });
    },
    { detail: { hide: true } },
  );
}
