import list from "./common-passwords.bin" with { type: "file" };

/** The length of a hash: another password has the same with a probability of one in 20 million. */
export const HASH_BYTES = 5;

const FEWEST = 12;

export function isLongEnough(password: string): boolean {
  return [...password].length >= FEWEST;
}

/** @param password in lower case */
export function hashOf(password: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(password).digest().subarray(0, HASH_BYTES);
}

let loaded: Promise<Buffer> | undefined;

/**
 * Whether a password is one of the most common of at least 12 characters: the 43,940 of the million most common in the leaks that
 * Mark Burnett collected (`scripts/common-passwords.ts`), or one of the kinds of which that list has only a part. The list is read when
 * it is first needed.
 *
 * @param password in lower case
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (isLongEnough(password) && isObvious(password)) return true;
  loaded ??= Bun.file(list)
    .arrayBuffer()
    .then((bytes) => Buffer.from(bytes));
  const hashes = await loaded;
  const wanted = hashOf(password);
  let [from, to] = [0, hashes.length / HASH_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * HASH_BYTES;
    const order = Buffer.compare(hashes.subarray(at, at + HASH_BYTES), wanted);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** Words with which common passwords begin, in lower case. */
const WORDS = new Set(
  `abc abcd abcdef access account admin administrator adidas andrew angel anthony apple arsenal ashley asdf asdfg asdfgh asdfghjkl
  austin autumn banana barcelona baseball basketball batman bailey benjamin biteme blink butterfly buster carlos changeit changeme charlie
  cheese chelsea chocolate chris christian computer cookie corvette daniel david default demo dragon eagle family ferrari flower football
  forever freedom friday friends fuckyou ginger george google guest hannah harley hello helloworld hockey hunter iloveyou internet jack jackson
  james jasmine jennifer jessica jesus jordan joshua justin killer kitty letmein liverpool login london love loveme lovely maggie
  manchester master matrix matthew merlin michael michelle mickey monday monkey monster mustang mother music myspace naruto nicole nothing
  october orange pass passw passwd password passwords passwort passe motdepasse contrasena contrasenha senha parola heslo haslo salasana losenord
  wachtwoord pepper peanut pokemon princess purple qazwsx qazwsxedc qwer qwert qwerty qwertyui qwertyuiop azerty azertyuiop qwertz qwertzuiop
  rainbow ranger robert root samsung samantha secret secure security server shadow silver soccer sophie spiderman spring starwars steelers
  stillup summer sunday sunshine superman superstar system taylor temp temporary test tester testing thomas thunder tigger trustno trustnoone
  user welcome whatever william winter yankees zxcvbn zxcvbnm`.split(/\s+/),
);

const MAX_OBVIOUS = 32;

/** Characters that people write in place of letters. */
const LETTERS: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * Behavior 19.10: kinds of passwords of which lists have only a part. Up to 32 characters of which fewer than four differ, or a common word, also
 * several times and with letters as digits, with nothing around it but digits, signs and spaces.
 *
 * @param password in lower case
 */
function isObvious(password: string): boolean {
  if (password.length <= MAX_OBVIOUS && new Set(password).size < 4) return true;
  return [password, [...password].map((sign) => LETTERS[sign] ?? sign).join("")].some((text) => {
    // Digits and signs at the ends may be part of the word, or not.
    const [core = ""] = /\p{L}(?:.*\p{L})?/u.exec(text) ?? [];
    const [bare = ""] = /\p{L}(?:.*\p{L})?/u.exec(password) ?? [];
    const start = Math.max(0, password.indexOf(bare));
    const inner = text.slice(start, start + bare.length);
    return [core, inner].some((word) => WORDS.has(word) || isRepeated(word));
  });
}

/** Whether a text is one of the words several times. */
function isRepeated(text: string): boolean {
  const [, word = ""] = /^(\p{L}{3,}?)\1+$/u.exec(text) ?? [];
  return WORDS.has(word);
}
