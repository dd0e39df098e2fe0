const SIGNATURES = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "image/x-icon": ["\0\0\x01\0"],
};

/** The media type of an image by its content; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  for (const [type, signatures] of Object.entries(SIGNATURES))
    if (signatures.some((signature) => start.startsWith(signature))) return type;
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return isSvg(bytes) ? "image/svg+xml" : undefined;
}

/** The root element may follow a declaration, a document type and comments. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).replaceAll(/<!--[\s\S]*?-->/g, "");
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<svg[\s>]/i.test(text);
}
