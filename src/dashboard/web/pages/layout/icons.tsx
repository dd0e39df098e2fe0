const shapes = {
  handle: "M6 3.5v.01M6 8v.01M6 12.5v.01M10.5 3.5v.01M10.5 8v.01M10.5 12.5v.01",
  up: "m3.5 9.5 4.5-4 4.5 4",
  down: "m3.5 6.5 4.5 4 4.5-4",
  remove: "m4 4 8 8m0-8-8 8",
} as const;

export function Icon({ shape }: { shape: keyof typeof shapes }) {
  return (
    <svg
      className={`layout-icon layout-icon-${shape}`}
      width={16}
      height={16}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={shapes[shape]} />
    </svg>
  );
}
