/**
 * Chooses the kind of a part of the server, such as its store or its recogniser. An operator chooses by a setting; the choice
 * is checked before anything is opened. A table, the registry of the part, lists its kinds.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import type { Schema } from '../../src/contract/schema.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import type { createValidation } from '../runtime/validation.ts';
import { suggestWord } from '../../src/domain/nearest-word.ts';

export interface Kind<Options = never> {
  /** The options of the kind: an `object` of texts, numbers and booleans. */
  readonly options: Schema<Options>;
  /** The option that may stand behind the name and a colon: `local:MODEL`. */
  readonly main?: keyof Options & string;
}

/** A kind with any options. */
export interface AnyKind {
  readonly options: Schema;
  readonly main?: string;
}

/** The kinds from which an operator chooses. */
export interface Menu<K extends AnyKind> {
  /** The part's name in messages: `recogniser`. */
  readonly noun: string;
  /** The name of the setting; default: the noun. */
  readonly setting?: string;
  readonly kinds: Readonly<Record<string, K>>;
  /** Values of the setting other than the names of kinds, for messages. */
  readonly besides?: readonly string[];
}

export interface ChosenKind<K extends AnyKind> {
  readonly name: string;
  readonly kind: K;
  /** The options, valid by the schema of the kind. */
  readonly options: never;
}

/**
 * Finds the chosen kind and checks its options. AppError CONFIGURATION lists the possible choices and repeats no
 * option's value.
 */
export function chooseKind<K extends AnyKind>(
  menu: Menu<K>,
  { use, options = {} }: Choice,
  compile: ReturnType<typeof createValidation>,
): ChosenKind<K> {
  const [name, ...behind] = use.split(':') as [string, ...string[]];
  const kind = findEntry(menu.kinds, name);
  if (!kind) throw unknownKind(menu, name);
  const refused = (problem: string): AppError => unfitOptions(menu, name, problem, kind);
  const merged: Record<string, unknown> = { ...options };
  if (behind.length > 0) {
    if (kind.main === undefined) throw refused(`nothing may stand behind its name`);
    if (Object.hasOwn(merged, kind.main)) throw refused(`${kind.main} is given twice`);
    merged[kind.main] = behind.join(':');
  }
  // A kind without options needs no compiler; the compiler is slow to load and would delay the start.
  const isPlain = Object.keys({ ...kind.options.properties, ...merged }).length === 0;
  const problems = isPlain ? [] : compile(kind.options, 'setting')(merged);
  if (problems.length > 0) throw refused(problems.map(problemText).join('; '));
  return { name, kind, options: merged as never };
}

const problemText = ({ field, code, message }: FieldError): string =>
  code === 'UNKNOWN_FIELD' ? `${field} is none of its options` : message;

function unknownKind({ noun, setting = noun, kinds, besides = [] }: Menu<AnyKind>, name: string): AppError {
  const names = [...besides, ...Object.keys(kinds)];
  return new AppError('CONFIGURATION', {
    message: `There is no ${noun} ${JSON.stringify(name)}.`,
    hint: [`Choose with --${setting}: ${names.join(', ')}.`, suggestWord(name, names)].filter(Boolean).join(' '),
    details: { setting },
  });
}

function unfitOptions({ noun, setting = noun }: Menu<AnyKind>, name: string, problem: string, kind: AnyKind): AppError {
  const { properties = {}, required = [] } = kind.options;
  const names = Object.keys(properties).map((option) => {
    const shown = `${option}=${option.toUpperCase()}`;
    return required.includes(option) ? shown : `[${shown}]`;
  });
  return new AppError('CONFIGURATION', {
    message: `The ${noun} ${name} cannot be set up like this: ${problem}.`,
    hint:
      names.length === 0
        ? `${name} takes no options.`
        : `Say --${setting} "${name} ${names.join(' ')}"; in brackets is what may be left out.`,
    details: { setting },
  });
}
