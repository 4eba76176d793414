/** The types of the command table (program.ts). */
import type { AnyCommand } from './command.ts';

export interface Entry {
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

export interface Noun {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Entry>>;
}

export type Program = Readonly<Record<string, Entry | Noun>>;

export const isNoun = (listed: Entry | Noun): listed is Noun => 'verbs' in listed;
