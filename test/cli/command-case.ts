/** How a command is tried: its words, and what it prints to a pipe and as JSON. */
import { expect } from 'vitest';
import type { World } from './world.ts';

export type Form = 'human' | 'json';

export interface Case {
  /** Makes what the words need. Called before each form; nothing of another case is taken for granted. */
  readonly words: (world: World, form: Form) => readonly string[] | Promise<readonly string[]>;
  readonly input?: string | Readonly<Record<Form, string>>;
  /** What a pipe gets on stdout; absent: nothing, the sentence is on stderr. */
  readonly human?: RegExp;
  readonly data: unknown;
  /** Changes what other cases look at, and so has a server of its own. */
  readonly isApart?: true;
}

export const id = (prefix: string) =>
  expect.stringMatching(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`)) as unknown;
export const has = (fields: object) => expect.objectContaining(fields) as unknown;
