import { LANGUAGES, type Language } from "../../domain/pages/reader-locale.ts";
import type { Room } from "./english.ts";
import { TEXT_FILES } from "./files.ts";

/** A file of texts. @property name such as `de-start.json` */
export interface NamedTexts {
  name: string;
  json: string;
}

/** The files of all languages. */
export async function textFiles(): Promise<NamedTexts[]> {
  const all = await Promise.all(LANGUAGES.map(filesOf));
  return all.flat();
}

async function filesOf(language: Language): Promise<NamedTexts[]> {
  const table = await tableOf(language);
  return Object.entries(TEXT_FILES).map(([file, rooms]) => ({
    name: `${language}-${file}.json`,
    json: JSON.stringify(Object.fromEntries(rooms.map((room) => [room, table[room]]))),
  }));
}

/** Any language: no caller can name its plural categories. */
type Table = Record<Room, unknown>;

export async function tableOf(language: Language): Promise<Table> {
  if (language === "en") return (await import("./english.ts")).english;
  return (await import(`./${language}.ts`)).texts;
}
