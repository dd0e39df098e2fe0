import type { Page } from "../data/api.ts";
import { exactText, Field, TextField } from "../form/fields.tsx";
import { Disclosure } from "../form/form.tsx";

/** The color and the logo of the page, and the sites that may embed it (behavior 17.28). */
export function LookFields({ stored }: { stored: Page | undefined }) {
  return (
    <Disclosure summary="Color, logo and embedding" isOpen={false}>
      <TextField
        name="accent"
        label="Color"
        value={stored?.accent ?? ""}
        example="#2450c4"
        hint="Optional. For links and buttons, darker or lighter where it would not be readable."
      />
      {/* A saved file is no longer chosen. */}
      <LogoFields key={stored?.logo?.url} stored={stored} />
      <Field
        name="embedOrigins"
        label="Sites that may embed the page"
        hint="Optional. One a line, such as https://www.example.com."
      >
        {(props) => (
          <textarea {...props} rows={2} defaultValue={stored?.embedOrigins.join("\n")} {...exactText} />
        )}
      </Field>
    </Disclosure>
  );
}

function LogoFields({ stored }: { stored: Page | undefined }) {
  return (
    <>
      <Field name="logo" label="Logo" hint="Optional. PNG, JPEG, WebP, GIF or SVG, up to 64 KiB.">
        {(props) => (
          <input {...props} type="file" accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml" />
        )}
      </Field>
      {stored?.logo && <StoredLogo page={stored} logo={stored.logo} />}
    </>
  );
}

function StoredLogo({ page, logo }: { page: Page; logo: NonNullable<Page["logo"]> }) {
  return (
    <div className="page-logo">
      {page.visibility === "public" && <img src={logo.url} alt="The logo of the page" />}
      <label className="check">
        <input type="checkbox" name="removeLogo" />
        Remove the logo
      </label>
    </div>
  );
}
