/**
 * What recognisers and writers have in common: how an operator chooses one, how the choice is checked, and how it begins and
 * ends. A kind of engine is a folder with an `EngineKind`, and a line in registry.ts.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import type { Schema } from '../../src/contract/schema.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { EngineChoice } from '../../src/domain/engine-choice.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import type { Log } from '../log.ts';
import type { createValidation } from '../validation.ts';
import type { Workers } from '../workers/workers.ts';

export interface Engine {
  /** Shown to the operator and to callers. */
  readonly name: string;
  /**
   * Rejects with AppError ENGINE_UNAVAILABLE where the engine could not serve now; message and hint say what to do. Nothing
   * that anybody dictated is used for it.
   */
  probe(signal: AbortSignal): Promise<void>;
  /** Ends its processes, connections and files. Nothing is asked of the engine afterwards. */
  close(): Promise<void>;
}

/** What an engine is made with, besides its own options. */
export interface EngineDeps {
  /** As `EngineChoice` has it; `undefined`: none was set. */
  readonly key: string | undefined;
  /** The server's, in which an engine has a folder of its own; `undefined` where the server keeps nothing on the disk. */
  readonly dataDir: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly workers: Workers;
}

export interface EngineKind<E extends Engine = Engine, Options = never> {
  /** Which options there are: an `object` of texts, numbers and booleans. */
  readonly options: Schema<Options>;
  /** The option that may stand behind the name and a colon: `local:MODEL`. */
  readonly main?: keyof Options & string;
  /** `options` are as the schema has them. Rejects with AppError CONFIGURATION where no engine comes of them. */
  create(options: Options, deps: EngineDeps): Promise<E>;
}

/** A table of kinds, whatever options they have. */
export type EngineKinds<E extends Engine> = Readonly<Record<string, AnyKind<E>>>;
interface AnyKind<E extends Engine> {
  readonly options: Schema;
  readonly main?: string;
  create(options: never, deps: EngineDeps): Promise<E>;
}

/** The kind itself; it is here so that the compiler holds `create` to the options. */
export const engineKind = <E extends Engine, Options>(kind: EngineKind<E, Options>): EngineKind<E, Options> => kind;

/** What an operator chooses from. */
export interface EngineMenu<E extends Engine> {
  /** As the settings are called. */
  readonly noun: 'recogniser' | 'writer';
  readonly kinds: EngineKinds<E>;
  /** Words besides the names of kinds, for messages. */
  readonly besides?: readonly string[];
}

/** Makes the engine that was chosen. */
export type OpenEngine<E extends Engine> = (deps: Omit<EngineDeps, 'key'>) => Promise<E>;

/**
 * Checks what was chosen, before anything is opened. Throws AppError CONFIGURATION, which says what there is to choose from
 * and repeats no value.
 */
export function chooseEngine<E extends Engine>(
  { noun, kinds, besides = [] }: EngineMenu<E>,
  { use, options = {}, key }: EngineChoice,
  compile: ReturnType<typeof createValidation>,
): OpenEngine<E> {
  const [name, ...behind] = use.split(':') as [string, ...string[]];
  const kind = entryOf(kinds, name);
  if (!kind) throw unknownKind(noun, name, [...besides, ...Object.keys(kinds)]);
  const refused = (problem: string): AppError => unfitOptions(noun, name, problem, kind);
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
  return (deps) => kind.create(given as never, { ...deps, key });
}

const problemText = ({ field, code, message }: FieldError): string =>
  code === 'UNKNOWN_FIELD' ? `${field} is none of its options` : message;

const unknownKind = (noun: string, name: string, known: readonly string[]): AppError =>
  new AppError('CONFIGURATION', {
    message: `There is no ${noun} ${JSON.stringify(name)}.`,
    hint: `Choose with --${noun}: ${known.join(', ')}.`,
    details: { setting: noun },
  });

function unfitOptions(noun: string, name: string, problem: string, kind: AnyKind<Engine>): AppError {
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
        : `Say --${noun} "${name} ${names.join(' ')}"; in brackets is what may be left out.`,
    details: { setting: noun },
  });
}
