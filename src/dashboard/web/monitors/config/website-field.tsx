import { exactText, Field } from "../../form/fields.tsx";
import { reportChange } from "../../form/form.tsx";
import { completeUrl, splitUrl } from "./website-url.ts";

/** The URL of a website, which may be entered without `https://`. */
export function WebsiteField({ url = "" }: { url: unknown }) {
  return (
    <Field name="config.url" label="URL">
      {(props) => (
        <input
          {...props}
          inputMode="url"
          defaultValue={String(url)}
          placeholder="https://example.com/"
          onBlur={({ target }) => showCompleted(target)}
          {...exactText}
        />
      )}
    </Field>
  );
}

/** Shows the URL as it is saved, and its user and password in their own fields, before the form judges them. */
function showCompleted(input: HTMLInputElement): void {
  const { url, user, password } = splitUrl(completeUrl(input.value.trim()));
  if (url === input.value) return;
  input.value = url;
  if (user !== "" || password !== "") {
    fill(input.form, "config.basicAuth.user", user);
    fill(input.form, "config.basicAuth.password", password);
  }
  reportChange(input);
}

/** Fills a field in a part of the form that may be closed. */
function fill(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = value;
  field.closest("details")?.setAttribute("open", "");
}
