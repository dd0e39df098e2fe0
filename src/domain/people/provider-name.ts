/** Providers whose host is not their name. */
const names: Record<string, string> = {
  "accounts.google.com": "Google",
  "gitlab.com": "GitLab",
  "login.microsoftonline.com": "Microsoft",
};

/** The name of a provider for people, such as `Google` or `idp.example.com` (behavior 19.95). @param issuer its URL */
export function providerName(issuer: string): string {
  const { host } = new URL(issuer);
  return names[host] ?? host;
}
