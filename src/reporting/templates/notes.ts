/**
 * Notes about template contents that differ from the file or are lost: kinds with their values, so that a page can word
 * them in its language, and the words in English.
 */
import { counted } from '../../domain/counted.ts';

type Values = Readonly<Record<string, string>>;

/** Kinds of notes, with their words. `field` is the label of a field, or empty. */
export const noteWords = {
  script: () => 'A script is left out.',
  handlers: ({ n }) => `${counted(Number(n), 'event handler')} left out.`,
  picture: ({ what }) => `A picture or medium (${what}) is left out.`,
  link: () => 'A link is left out; its words stay.',
  hint: ({ what }) => `A hint is left out: “${what}”.`,
  other_words: () => 'A place for other words beside the options is left out.',
  button: () => 'A button is left out.',
  field_type: ({ what }) => `A field of the type ${what} is left out.`,
  preselected: ({ field }) => `${named(field)}: nothing is preselected; somebody has to choose.`,
  several: ({ field }) => `${named(field)}: only one of the options can be chosen, where the file allows several.`,
  long_options: ({ field, what }) =>
    `${named(field)}: the options are too long for a choice, and became a blank: ${what}`,
  bounds: ({ field, what }) => `${named(field)}: its bounds (${what}) are not checked.`,
  blank: ({ field }) => `${named(field)}: a date or time is a blank.`,
  merge_field: ({ what }) => `The merge field ${what} became a blank: Laudio fills in no field by itself.`,
  patient: ({ section }) => `“${section}” is left out: the head of every document names the patient.`,
  same_section: ({ section, other }) => `“${section}” is one with “${other}”: a document has one such section.`,
  states: ({ section, macro, n }) =>
    `“${section}” states what was seen (${counted(Number(n), 'sentence')}): it is the macro “${macro}”, and stands in a document where somebody says so.`,
  macros: ({ n, kept }) => `Of ${n} macros the first ${kept} are kept.`,
  language: ({ what }) => `The file names no language; it was taken for ${what}.`,
  modality: () => 'The file names no modality: the template is chosen by its id alone.',
  region: () => 'The file names no part of the body: the template is chosen by its id alone.',
} as const satisfies Record<string, (values: Values) => string>;
export type NoteKind = keyof typeof noteWords;
export const noteKinds = Object.keys(noteWords) as NoteKind[];

const named = (field: string | undefined): string => field || 'A field';

/** A loss in a field that a template cannot represent. */
export interface Loss {
  readonly kind: NoteKind;
  readonly what?: string;
}

export interface Note {
  /** Line of the file, from 1; `null`: the file as a whole. */
  readonly line: number | null;
  readonly kind: NoteKind;
  readonly values: Values;
  /** In English. */
  readonly message: string;
}

export const buildNote = (line: number | null, kind: NoteKind, values: Values = {}): Note => ({
  line,
  kind,
  values,
  message: noteWords[kind](values),
});
