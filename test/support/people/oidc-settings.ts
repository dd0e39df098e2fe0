import type { OidcSettings } from "../../../src/domain/people/oidc-roles.ts";

/** The settings for a provider, as a test needs them. */
export function oidcSettings(issuer: string, changes: Partial<OidcSettings> = {}): OidcSettings {
  return {
    issuer,
    clientId: "stillup",
    clientSecret: "s3cret",
    scopes: "openid email profile",
    roles: undefined,
    organizationId: undefined,
    isOnly: false,
    ...changes,
  };
}
