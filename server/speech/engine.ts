/**
 * The plug-in shape of engines, which are recognisers and writers: how an operator chooses an engine, and how an engine is
 * checked, created, probed and closed. A kind of engine is a folder with an `EngineKind`, and a line in registry.ts.
 */
import type { Choice } from '../../src/domain/choice.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { chooseKind } from '../storage/menu.ts';
import type { AnyKind, Kind, Menu } from '../storage/menu.ts';
import type { Log } from '../runtime/log.ts';
import type { createValidation } from '../runtime/validation.ts';
import type { LaunchProcess } from '../runtime/processes/own-process.ts';
import type { Workers } from '../runtime/workers/workers.ts';

/** The result of trying one ability of an engine. */
export interface Trial {
  /** The ability, in one word: `server`, `model`. */
  readonly what: string;
  /** `partly`: the ability works, and could work better. */
  readonly result: 'works' | 'partly' | 'fails' | 'untried';
  readonly message: string;
  /** What the operator can do. */
  readonly hint?: string;
  readonly ms?: number;
}

export interface Engine {
  /** Shown to the operator and to callers. */
  readonly name: string;
  /**
   * Rejects with AppError ENGINE_UNAVAILABLE if the engine cannot serve now; message and hint say what to do. A probe never
   * uses anything that a person dictated.
   */
  probe(signal: AbortSignal): Promise<void>;
  /** The server answers: begins what takes long and has to keep nobody waiting. What goes wrong, `probe` and calls tell. */
  warmUp?(): void;
  /** Tries the engine more thoroughly than `probe`, at the operator's request. Absent: there is no more to try. */
  trials?(signal: AbortSignal): Promise<readonly Trial[]>;
  /** Ends the engine's processes, connections and files. Nobody calls the engine afterwards. */
  close(): Promise<void>;
}

/** What every engine gets when it is created, besides its own options. */
export interface EngineDeps {
  /** The `key` of the `Choice`; `undefined`: none was set. */
  readonly key: string | undefined;
  /** The server's data directory, where an engine has its own folder; `undefined`: the server keeps nothing on the disk. */
  readonly dataDir: string | undefined;
  /** Bytes of memory of the computer, or of the container. */
  readonly memory: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly workers: Workers;
  /** Starts a process for work that may crash or hang. */
  readonly launch: LaunchProcess;
}

export interface EngineKind<E extends Engine = Engine, Options = never> extends Kind<Options> {
  /** `options` conform to the schema of the kind. Rejects with AppError CONFIGURATION if they make no working engine. */
  create(options: Options, deps: EngineDeps): Promise<E>;
}

/** What a server uses whose operator chose no recogniser. */
export interface UsualRecogniser extends Pick<Choice, 'use'> {
  /** Why something that is installed is not used, and what to do: for the operator. */
  readonly problems: readonly EngineProblem[];
}

export interface EngineProblem {
  readonly message: string;
  readonly hint: string;
}

/** A table of kinds, with any options. */
export type EngineKinds<E extends Engine> = Readonly<Record<string, AnyEngineKind<E>>>;
interface AnyEngineKind<E extends Engine> extends AnyKind {
  create(options: never, deps: EngineDeps): Promise<E>;
}

/** Returns the kind unchanged; through this call the compiler holds `create` to the options of the schema. */
export const engineKind = <E extends Engine, Options>(kind: EngineKind<E, Options>): EngineKind<E, Options> => kind;

/** Creates the chosen engine. */
export type OpenEngine<E extends Engine> = (deps: Omit<EngineDeps, 'key'>) => Promise<E>;

/** Checks the choice, and creates nothing yet. Throws as `chooseKind`. */
export function chooseEngine<E extends Engine>(
  menu: Menu<AnyEngineKind<E>>,
  choice: Choice,
  compile: ReturnType<typeof createValidation>,
): OpenEngine<E> {
  const { kind, options } = chooseKind(menu, choice, compile);
  return (deps) => kind.create(options, { ...deps, key: choice.key });
}
