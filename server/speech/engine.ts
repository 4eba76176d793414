/**
 * The plug-in interface of engines, which are recognisers and writers: how an engine is chosen, validated, created,
 * probed and closed. A kind of engine is a folder with an `EngineKind` and a line in registry.ts.
 */
import type { Choice } from '../../src/domain/choice.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { chooseKind } from '../storage/menu.ts';
import type { AnyKind, Kind, Menu } from '../storage/menu.ts';
import type { Log } from '../runtime/log.ts';
import type { createValidation } from '../runtime/validation.ts';
import type { LaunchProcess } from '../runtime/processes/own-process.ts';
import type { Workers } from '../runtime/workers/workers.ts';

/** The result of testing one ability of an engine. */
export interface Trial {
  /** The ability in one word: `server`, `model`. */
  readonly what: string;
  /** `partly`: works with limits. */
  readonly result: 'works' | 'partly' | 'fails' | 'untried';
  readonly message: string;
  /** The remedy for the operator. */
  readonly hint?: string;
  readonly ms?: number;
}

export interface Engine {
  /** The name that operators and callers see. */
  readonly name: string;
  /**
   * Rejects with AppError ENGINE_UNAVAILABLE if the engine cannot serve now; message and hint say what to do. A probe
   * sends no user data.
   */
  probe(signal: AbortSignal): Promise<void>;
  /** Starts slow preparations once the server is running. Errors surface in `probe` and later calls. */
  warmUp?(): void;
  /** Tests the engine more thoroughly than `probe`, when the operator asks. Absent if `probe` covers everything. */
  trials?(signal: AbortSignal): Promise<readonly Trial[]>;
  /** Releases processes, connections and files. The engine is not called afterwards. */
  close(): Promise<void>;
}

/** Dependencies that every engine receives when it is created, in addition to its options. */
export interface EngineDeps {
  /** The `key` of the `Choice`, if set. */
  readonly key: string | undefined;
  /**
   * The server's data directory, in which an engine has its own folder; `undefined` if the server stores nothing on
   * disk.
   */
  readonly dataDir: string | undefined;
  /** Memory of the computer or container in bytes. */
  readonly memory: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly workers: Workers;
  /** Starts a process for work that may crash or hang. */
  readonly launch: LaunchProcess;
}

export interface EngineKind<E extends Engine = Engine, Options = never> extends Kind<Options> {
  /** `options` match the kind's schema. Rejects with AppError CONFIGURATION if they don't make a working engine. */
  create(options: Options, deps: EngineDeps): Promise<E>;
}

/** The recogniser of a server whose operator chose none. */
export interface DefaultRecogniser extends Pick<Choice, 'use'> {
  /** Why installed models are not used, and what the operator can do. */
  readonly problems: readonly EngineProblem[];
}

export interface EngineProblem {
  readonly message: string;
  readonly hint: string;
}

/** A table of kinds, whatever their options. */
export type EngineKinds<E extends Engine> = Readonly<Record<string, AnyEngineKind<E>>>;
interface AnyEngineKind<E extends Engine> extends AnyKind {
  create(options: never, deps: EngineDeps): Promise<E>;
}

/** Returns the kind unchanged. The call makes the compiler check `create` against the schema of the options. */
export const engineKind = <E extends Engine, Options>(kind: EngineKind<E, Options>): EngineKind<E, Options> => kind;

/** Creates the chosen engine. */
export type OpenEngine<E extends Engine> = (deps: Omit<EngineDeps, 'key'>) => Promise<E>;

/** Validates the choice without creating anything. Throws as `chooseKind`. */
export function chooseEngine<E extends Engine>(
  menu: Menu<AnyEngineKind<E>>,
  choice: Choice,
  compile: ReturnType<typeof createValidation>,
): OpenEngine<E> {
  const { kind, options } = chooseKind(menu, choice, compile);
  return (deps) => kind.create(options, { ...deps, key: choice.key });
}
