/**
 * Parts of the server of which there are several kinds: how an operator chooses one by a setting, and how the choice is checked
 * before anything is opened. The kinds of a part stand in a table, its registry.
 */
import { AppError } from '../src/contract/errors.ts';
import type { FieldError } from '../src/contract/errors.ts';
import type { Schema } from '../src/contract/schema.ts';
import type { Choice } from '../src/domain/choice.ts';
import { entryOf } from '../src/domain/entry-of.ts';
import type { createValidation } from './http/validation.ts';

export interface Kind<Options = never> {
  /** Which options there are: an `object` of texts, numbers and booleans. */
  readonly options: Schema<Options>;
  /** The option that may stand behind the name and a colon: `local:MODEL`. */
  readonly main?: keyof Options & string;
}

/** A kind, whatever options it has. */
export interface AnyKind {
  readonly options: Schema;
  readonly main?: string;
}

/** What an operator chooses from. */
export interface Menu<K extends AnyKind> {
  /** For messages: `recogniser`. */
  readonly noun: string;
  /** As the setting is called; default: as the noun. */
  readonly setting?: string;
  readonly kinds: Readonly<Record<string, K>>;
  /** Words besides the names of kinds, for messages. */
  readonly besides?: readonly string[];
}

export interface Chosen<K extends AnyKind> {
  readonly name: string;
  readonly kind: K;
  /** As the schema of the kind has them. */
  readonly options: never;
}

/** Throws AppError CONFIGURATION, which says what there is to choose from and repeats no value. */
export function chooseKind<K extends AnyKind>(
  menu: Menu<K>,
  { use, options = {} }: Choice,
  compile: ReturnType<typeof createValidation>,
): Chosen<K> {
  const [name, ...behind] = use.split(':') as [string, ...string[]];
  const kind = entryOf(menu.kinds, name);
  if (!kind) throw unknownKind(menu, name);
  const refused = (problem: string): AppError => unfitOptions(menu, name, problem, kind);
  const given: Record<string, unknown> = { ...options };
  if (behind.length > 0) {
    if (kind.main === undefined) throw refused(`nothing may stand behind its name`);
    if (Object.hasOwn(given, kind.main)) throw refused(`${kind.main} is given twice`);
    given[kind.main] = behind.join(':');
  }
  // A kind without options needs no compiler, which takes a while to load: a server is to be ready soon.
  const isPlain = Object.keys({ ...kind.options.properties, ...given }).length === 0;
  const problems = isPlain ? [] : compile(kind.options, 'setting')(given);
  if (problems.length > 0) throw refused(problems.map(problemText).join('; '));
  return { name, kind, options: given as never };
}

const problemText = ({ field, code, message }: FieldError): string =>
  code === 'UNKNOWN_FIELD' ? `${field} is none of its options` : message;

function unknownKind({ noun, setting = noun, kinds, besides = [] }: Menu<AnyKind>, name: string): AppError {
  return new AppError('CONFIGURATION', {
    message: `There is no ${noun} ${JSON.stringify(name)}.`,
    hint: `Choose with --${setting}: ${[...besides, ...Object.keys(kinds)].join(', ')}.`,
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
