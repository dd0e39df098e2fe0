export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** That a configuration file knows something, so that its next apply replaces what is changed here; nothing without a ref. */
export function ManagedBy({ reference }: { reference: string | null | undefined }) {
  if (!reference) return null;
  return (
    <p className="text-muted">
      Managed by a configuration file (ref <code>{reference}</code>). The next apply of the file replaces what
      is changed here.
    </p>
  );
}
