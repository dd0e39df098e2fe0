import { faultWords } from "../../../domain/checks/certificate.ts";
import type { TlsAdvice } from "../../../domain/checks/tls-facts.ts";
import type { RegistrationDetail } from "../../../domain/registration/registration.ts";
import type { Config, Report } from "../data/api.ts";
import { listWithRest } from "../status/result-detail.ts";
import { Card, Fact } from "../ui/card.tsx";
import { formatExpiry, Time } from "../ui/time.tsx";

type Tls = NonNullable<Report["tls"]>;

/** The certificate of an HTTPS monitor. */
export function WebsiteCertificate({ tls }: { tls: Tls }) {
  return (
    <Card id="certificate" title="Certificate">
      <p className="certificate-expiry">{formatExpiry(Date.parse(tls.validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name="Valid until">
          <Time at={tls.validTo} only="date" />
        </Fact>
        <TlsFacts tls={tls} />
      </dl>
    </Card>
  );
}

/** The certificate that the latest check of a TLS monitor saw. @property detail of its result */
export function CertificateFacts({ detail, tls }: { detail: Config; tls: Tls | null | undefined }) {
  const validTo = String(detail.validTo);
  return (
    <>
      <p className="certificate-expiry">{formatExpiry(Date.parse(validTo) - Date.now())}</p>
      <dl className="facts">
        <Fact name="Validity">
          <Time at={String(detail.validFrom)} only="date" /> to <Time at={validTo} only="date" />
        </Fact>
        <Fact name="Verified">
          {detail.authorized ? "yes: chain and name" : `no: ${faultWords(String(detail.authorizationError))}`}
        </Fact>
        <Fact name="Subject">{String(detail.subject)}</Fact>
        <Fact name="Issuer">{String(detail.issuer)}</Fact>
        <Fact name="Names">{listWithRest(detail, "names").join(", ")}</Fact>
        {tls ? <TlsFacts tls={tls} /> : <Fact name="Protocol">{String(detail.protocol ?? "–")}</Fact>}
        <Fact name="SHA-256">
          <code className="text-wrap">{String(detail.fingerprint)}</code>
        </Fact>
      </dl>
      {detail.registration !== undefined && <RegistrationFacts detail={detail} />}
    </>
  );
}

/** The registration of the domain, as the latest check knew it. */
function RegistrationFacts({ detail }: { detail: Config }) {
  const { domain, expiresAt, registrar, statuses } = Object(
    detail.registration,
  ) as Partial<RegistrationDetail>;
  return (
    <section aria-labelledby="registration">
      <h3 id="registration">Registration{domain && ` of ${domain}`}</h3>
      {expiresAt === undefined ? (
        <p>
          {detail.reason === "registration" ? String(detail.message) : "The registry has not answered yet."}
        </p>
      ) : (
        <>
          <p className="certificate-expiry">{formatExpiry(Date.parse(expiresAt) - Date.now())}</p>
          <dl className="facts">
            <Fact name="Registered until">
              <Time at={expiresAt} only="date" />
            </Fact>
            <Fact name="Registrar">{registrar ?? "–"}</Fact>
            <Fact name="Statuses">{statuses?.join(", ") || "–"}</Fact>
          </dl>
        </>
      )}
    </section>
  );
}

const adviceWords: Record<TlsAdvice, string> = {
  deprecated_protocol: "Use TLS 1.2 or later: older versions are deprecated.",
  weak_signature: "Replace the certificate: its signature uses SHA-1 or MD5.",
  weak_key: "Replace the key: RSA needs at least 2,048 bits.",
  incomplete_chain:
    "Send the certificate of the issuer too: clients that do not know it refuse the connection.",
};

function TlsFacts({ tls: { protocol, cipher, advice } }: { tls: Tls }) {
  return (
    <>
      <Fact name="Protocol">{[protocol, cipher].filter(Boolean).join(", ") || "–"}</Fact>
      {advice.length > 0 && (
        <Fact name="Advice">
          {advice.map((one) => (
            <p key={one}>{adviceWords[one]}</p>
          ))}
        </Fact>
      )}
    </>
  );
}
