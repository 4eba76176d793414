/**
 * What recognisers and writers have in common: how an operator chooses one, how the choice is checked, and how it begins and
 * ends. A kind of engine is a folder with an `EngineKind`, and a line in registry.ts.
 */
import type { Choice } from '../../src/domain/choice.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { chooseKind } from '../kinds.ts';
import type { AnyKind, Kind, Menu } from '../kinds.ts';
import type { Log } from '../log.ts';
import type { createValidation } from '../http/validation.ts';
import type { Workers } from '../workers/workers.ts';

/** What came of trying one thing that an engine has to be able to do. */
export interface Trial {
  /** In one word: `server`, `model`. */
  readonly what: string;
  /** `partly`: it works, and could work better. */
  readonly result: 'works' | 'partly' | 'fails' | 'untried';
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  readonly ms?: number;
}

export interface Engine {
  /** Shown to the operator and to callers. */
  readonly name: string;
  /**
   * Rejects with AppError ENGINE_UNAVAILABLE where the engine could not serve now; message and hint say what to do. Nothing
   * that anybody dictated is used for it.
   */
  probe(signal: AbortSignal): Promise<void>;
  /** More than `probe`, for an operator who asks. Absent: there is no more to try. */
  trials?(signal: AbortSignal): Promise<readonly Trial[]>;
  /** Ends its processes, connections and files. Nothing is asked of the engine afterwards. */
  close(): Promise<void>;
}

/** What an engine is made with, besides its own options. */
export interface EngineDeps {
  /** As `Choice` has it; `undefined`: none was set. */
  readonly key: string | undefined;
  /** The server's, in which an engine has a folder of its own; `undefined` where the server keeps nothing on the disk. */
  readonly dataDir: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly workers: Workers;
}

export interface EngineKind<E extends Engine = Engine, Options = never> extends Kind<Options> {
  /** `options` are as the schema has them. Rejects with AppError CONFIGURATION where no engine comes of them. */
  create(options: Options, deps: EngineDeps): Promise<E>;
}

/** A table of kinds, whatever options they have. */
export type EngineKinds<E extends Engine> = Readonly<Record<string, AnyEngineKind<E>>>;
interface AnyEngineKind<E extends Engine> extends AnyKind {
  create(options: never, deps: EngineDeps): Promise<E>;
}

/** The kind itself; it is here so that the compiler holds `create` to the options. */
export const engineKind = <E extends Engine, Options>(kind: EngineKind<E, Options>): EngineKind<E, Options> => kind;

/** Makes the engine that was chosen. */
export type OpenEngine<E extends Engine> = (deps: Omit<EngineDeps, 'key'>) => Promise<E>;

/** Checks the choice before anything is opened. Throws as `chooseKind`. */
export function chooseEngine<E extends Engine>(
  menu: Menu<AnyEngineKind<E>>,
  choice: Choice,
  compile: ReturnType<typeof createValidation>,
): OpenEngine<E> {
  const { kind, options } = chooseKind(menu, choice, compile);
  return (deps) => kind.create(options, { ...deps, key: choice.key });
}
