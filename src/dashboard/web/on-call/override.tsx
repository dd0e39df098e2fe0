import { useQuery } from "@tanstack/react-query";
import type { NewOverride } from "../../../domain/on-call/schedule.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { api, type Person, type Schedule } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { textOf, timeIn } from "../form/field-errors.ts";
import { SelectField, TimeField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { named } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { describeSpan } from "../maintenance/maintenance-words.ts";
import { nameOfPerson } from "../people/person-words.ts";
import { DeleteButton } from "../ui/clipboard.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { ListRow } from "../ui/list.tsx";
import { useClock } from "../ui/time.tsx";
import { nameById } from "./person-name.ts";
import { type DayTurn, offeredTimes, onCallQuery } from "./schedules.ts";

/** Whether the reader may put somebody on call: everybody themselves, an admin all. @returns a function of the person, or of anybody */
export function useMayOverride(): (personId?: string) => boolean {
  const own = useSession()?.personId;
  const isAdmin = useHasRole("admin");
  return (personId = own) => isAdmin || (own !== undefined && personId === own);
}

interface Props {
  schedule: Schedule;
  people: Person[];
  /** The turn to take over; undefined for the present one. */
  turn?: DayTurn;
  onClose: () => void;
}

/** Puts a person on call for a time: by default the reader, until the end of the turn (behavior 23.42). */
export function TakeOver({ schedule: { id, name }, people, turn, onClose }: Props) {
  const own = useSession()?.personId;
  const mayOverride = useMayOverride();
  const { data: current } = useQuery(onCallQuery(id));
  const change = useChange(queryKeys.schedules, queryKeys.audit);
  const present = current?.until ? { endsAt: Date.parse(current.until) } : {};
  const { startsAt, endsAt } = offeredTimes(Date.now(), turn ?? present);
  const offered = people.filter((person) => person.state !== "disabled" && mayOverride(person.id));
  return (
    <Dialog title={named(texts.onCall.takeOver.title, name)} onClose={onClose}>
      <Form
        className="form-fields"
        check={() => []}
        onSubmit={(data) => change(api.schedules({ id }).overrides.post(overrideIn(data))).then(onClose)}
      >
        <SelectField
          name="personId"
          label={texts.onCall.takeOver.who}
          value={own ?? offered[0]?.id}
          options={offered.map((person) => ({
            value: person.id,
            label:
              person.id === own
                ? fill(texts.onCall.takeOver.you, { name: nameOfPerson(person) })
                : nameOfPerson(person),
          }))}
        />
        <TimeField name="startsAt" label={texts.onCall.takeOver.from} value={startsAt} hint="" />
        <TimeField name="endsAt" label={texts.onCall.takeOver.until} value={endsAt} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.onCall.takeOver.submit}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function overrideIn(data: FormData): NewOverride {
  return {
    personId: textOf(data, "personId") ?? "",
    startsAt: timeIn(textOf(data, "startsAt")) ?? "",
    endsAt: timeIn(textOf(data, "endsAt")) ?? "",
  };
}

/** The overrides that are not over yet. */
export function Overrides({ schedule: { id, overrides }, people }: Pick<Props, "schedule" | "people">) {
  const shown = useClock((now) => overrides.filter(({ endsAt }) => Date.parse(endsAt) > now).length);
  const mayOverride = useMayOverride();
  const change = useChange(queryKeys.schedules, queryKeys.audit);
  if (shown === 0) return null;
  const open = overrides.toSorted((a, b) => Date.parse(b.endsAt) - Date.parse(a.endsAt)).slice(0, shown);
  return (
    <>
      <h3>{texts.onCall.overrides.title}</h3>
      <ul className="list on-call-overrides">
        {open
          .toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
          .map(({ id: override, personId, startsAt, endsAt }) => {
            const name = nameById(personId, people);
            const span = describeSpan({ startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) });
            return (
              <ListRow key={override} title={name} details={<span className="list-row-note">{span}</span>}>
                {mayOverride(personId) && (
                  <DeleteButton
                    name={name}
                    question={texts.onCall.overrides.question}
                    label={fill(texts.onCall.overrides.label, { name, span })}
                    onDelete={() => change(api.schedules({ id }).overrides({ override }).delete())}
                  >
                    {texts.onCall.overrides.text}
                  </DeleteButton>
                )}
              </ListRow>
            );
          })}
      </ul>
    </>
  );
}
