/** The speech models in the app: listed, fetched on request, installed, removed, and used by the running server. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import type { EngineDeps } from '../engine.ts';
import type { Recogniser } from '../recogniser.ts';
import type { OfferedModel } from './catalogue.ts';
import { compareByUse, listModels, removeModel, workPaths } from './library.ts';
import type { ListedModel } from './library.ts';
import { estimateMemoryFromBytes } from './memory.ts';
import type { PullStep } from './pull/pull.ts';
import { findDefaultRecogniser } from './default-recogniser.ts';
import { createProgressBoard } from './progress-board.ts';
import type { ModelProgress, ProgressBoard } from './progress-board.ts';

export interface ModelManagerOptions {
  /**
   * Stores the choice of recogniser for the next start; `undefined` for the default. Absent if the choice was made at
   * startup and the app cannot change it.
   */
  readonly keep?: ((recogniser: string | undefined) => Promise<unknown>) | undefined;
  /** Variables with the addresses of proxies. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the catalogue. */
  readonly offers?: Readonly<Record<string, OfferedModel>>;
  /** A mirror of the archives. */
  readonly from?: string;
}

/** A model that is installed or fits this computer. */
export interface ManagedModel extends Pick<
  ListedModel,
  'id' | 'state' | 'live' | 'languages' | 'licence' | 'bytes' | 'archive_bytes'
> {
  /** Approximate memory of the loaded model; `null` if unknown. */
  readonly memory_bytes: number | null;
  /** Bytes of an interrupted download, which the next attempt continues. */
  readonly fetched_bytes: number;
  readonly in_use: boolean;
  readonly work: ModelProgress | null;
  /** Why the last installation failed. */
  readonly problem:
    | (Pick<AppError, 'code' | 'message'> & {
        readonly hint: string | null;
        /** Set if the disk is full. */
        readonly free_bytes: number | null;
        readonly needed_bytes: number | null;
      })
    | null;
}

export interface ManagedModels {
  /** Name of the recogniser of patients. */
  readonly recogniser: string | null;
  /** Whether the recogniser was chosen at startup. */
  readonly fixed: boolean;
  /** Memory of this computer in bytes. */
  readonly memory: number;
  /** Models that are installed or fit this computer's memory; the best for most people first. */
  readonly items: readonly ManagedModel[];
}

export interface ModelManager {
  state(): Promise<ManagedModels>;
  /**
   * Begins to fetch and install the model; `state` reports progress and failure. If patients have no recogniser, the
   * model becomes theirs. NOT_FOUND for a model that is not on offer.
   */
  install(id: string): Promise<void>;
  /** Cancels an installation. The partial download is kept. */
  cancel(id: string): Promise<void>;
  /** Removes the model and its partial download. INVALID_TRANSITION if it is in use and `fixed`. */
  remove(id: string): Promise<void>;
  /** Uses the model for patients, now and after the next start. Rejects as `ModelManagerDeps.choose`, and if `fixed`. */
  use(id: string): Promise<void>;
  /** Calls the listener when the state changes, for progress at most four times a second. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

export interface ModelManagerDeps extends Pick<EngineDeps, 'memory' | 'clock' | 'log'> {
  readonly dataDir: string;
  /** The recogniser of patients. */
  readonly recogniser: () => Pick<Recogniser, 'name' | 'models'> | undefined;
  /**
   * Makes this choice the recogniser of patients; `undefined` for the default. Rejects with CONFIGURATION or
   * ENGINE_UNAVAILABLE and changes nothing if it cannot serve. `released` resolves once the previous recogniser is
   * closed.
   */
  readonly choose: (recogniser: Choice | undefined) => Promise<{ readonly released: Promise<void> }>;
}

/** Unpacked bytes per byte of an archive, measured with the models of the catalogue. */
const unpackedPerByte = 1.4;
const none = { use: 'none' };

export function createModelManager(
  { dataDir, recogniser, choose, memory, clock, log }: ModelManagerDeps,
  { keep, env = {}, offers, from }: ModelManagerOptions,
): ModelManager {
  const models = join(dataDir, 'models');
  const progress = createProgressBoard(clock);
  const installing = new Map<string, { readonly controller: AbortController; readonly end: Promise<void> }>();
  /** Changes of the recogniser of patients run one at a time. */
  const inOrder = createOrder();
  const isUsed = (id: string): boolean => recogniser()?.models?.includes(id) === true;

  const useModel = (id: string): Promise<void> =>
    inOrder(async () => {
      const use = `local:${id}`;
      await choose({ use });
      // The default needs no setting, which would be wrong for a server with another data directory.
      const { use: fallback } = await findDefaultRecogniser(dataDir);
      await keep?.(use === fallback ? undefined : use);
    });

  async function fetchModel(id: string, signal: AbortSignal): Promise<void> {
    const { preparePull } = await import('./pull/pull.ts');
    const pull = await preparePull({ models, id, from, ...(offers && { offers }) });
    const onProgress = (step: PullStep, done: number, of: number | undefined): void =>
      progress.show(id, { step, done, of: of ?? null });
    if (!pull.facts.installed) await pull.run({ clock, signal, env, onProgress });
    if (!keep || recogniser()) return;
    progress.show(id, { step: 'opening', done: 0, of: null });
    await useModel(id);
  }

  async function cancel(id: string): Promise<void> {
    const { controller, end } = installing.get(id) ?? {};
    controller?.abort();
    await end;
  }

  return {
    async state() {
      // Models without a checksum are installed by a command.
      const listed = (await listModels(models, offers))
        .filter(({ state, untried }) => state !== 'available' || !untried)
        .toSorted(compareByUse);
      const all = await Promise.all(listed.map((model) => describeModel(model, { models, progress, isUsed })));
      const fits = ({ state, memory_bytes }: ManagedModel): boolean =>
        state !== 'available' || (memory_bytes ?? 0) <= memory;
      return { recogniser: recogniser()?.name ?? null, fixed: keep === undefined, memory, items: all.filter(fits) };
    },

    async install(id) {
      if (progress.workOn(id)) return;
      const { catalogue } = await import('./catalogue.ts');
      const offer = findEntry(offers ?? catalogue, id);
      if (offer?.archive.sha256 === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such model.' });
      if (progress.workOn(id)) return;
      const controller = new AbortController();
      const end = progress
        .run(id, 'fetching', () => fetchModel(id, controller.signal))
        .catch((problem: AppError) => {
          if (problem.code === 'INTERNAL_ERROR') log({ level: 'error', event: 'model_not_installed', model: id });
          if (problem.code !== 'INTERRUPTED') progress.fail(id, problem);
        })
        .finally(() => {
          installing.delete(id);
          progress.notify();
        });
      installing.set(id, { controller, end });
    },

    cancel,

    async remove(id) {
      await cancel(id);
      await inOrder(async () => {
        const isInUse = isUsed(id);
        if (isInUse && !keep) throw fixedChoice();
        await progress.run(id, 'removing', async () => {
          // Some systems can't remove the files of a loaded model.
          const { name } = recogniser() ?? {};
          if (isInUse) await (await choose(none)).released;
          await removeModel(models, id, clock);
          if (!isInUse) return;
          // Without the model that heard a second time, the first one hears alone.
          const use = name === `local:${id}` ? undefined : name;
          await keep?.(use);
          await choose(use === undefined ? undefined : { use });
        });
      });
    },

    async use(id) {
      if (!keep) throw fixedChoice();
      await progress.run(id, 'opening', () => useModel(id));
    },

    onChange: progress.onChange,

    async close() {
      await Promise.all([...installing.keys()].map(cancel));
      await inOrder.idle();
      progress.close();
    },
  };
}

interface ShownFacts {
  readonly models: string;
  readonly progress: ProgressBoard;
  readonly isUsed: (id: string) => boolean;
}

async function describeModel(
  { bytes, archive_bytes, kind, untried: _, ...model }: ListedModel,
  { models, progress, isUsed }: ShownFacts,
): Promise<ManagedModel> {
  const { id } = model;
  const size = bytes ?? (archive_bytes === null ? null : unpackedPerByte * archive_bytes);
  const part = await stat(workPaths(models, id).part).catch(() => undefined);
  const problem = progress.problemOf(id);
  const detail = (name: string): number | null => (problem?.details?.[name] as number | undefined) ?? null;
  return {
    ...model,
    bytes,
    archive_bytes,
    memory_bytes: size === null ? null : estimateMemoryFromBytes(kind, size),
    fetched_bytes: part?.size ?? 0,
    in_use: isUsed(id),
    work: progress.workOn(id) ?? null,
    problem: problem
      ? {
          code: problem.code,
          message: problem.message,
          hint: problem.hint ?? null,
          free_bytes: detail('free_bytes'),
          needed_bytes: detail('needed_bytes'),
        }
      : null,
  };
}

const fixedChoice = (): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'The recogniser was chosen when this server was started.',
    hint: 'Start the server without --recogniser and LAUDIO_RECOGNISER to choose here.',
  });
