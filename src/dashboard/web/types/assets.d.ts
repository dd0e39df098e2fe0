/** The bundler writes the file beside the scripts, and the import is its address. */
declare module "*.svg" {
  const address: string;
  export default address;
}
