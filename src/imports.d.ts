declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*/standalone.js" {
  const path: string;
  export default path;
}

/** The path of a file in the binary. */
declare module "*.bin" {
  const path: string;
  export default path;
}

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
