/**
 * The speech models of this computer, as the app offers them: listed, fetched only when somebody asks, installed, removed, and
 * used from then on by the server that runs.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { explain, isSystemError } from '../../../src/node/system-error.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import type { EngineDeps } from '../engine.ts';
import type { OfferedModel } from './catalogue.ts';
import { byUse, listModels, removeModel, workPaths } from './library.ts';
import type { ListedModel } from './library.ts';
import { memoryForBytes } from './memory.ts';
import type { PullStep } from './pull/pull.ts';
import { usualRecogniser } from './usual-recogniser.ts';

export interface ModelOfferOptions {
  /**
   * Keeps the choice of recogniser where the next start of the server finds it; `undefined`: the usual one. Absent: whoever
   * starts the server has chosen, and the app chooses no other.
   */
  readonly keep?: ((recogniser: string | undefined) => Promise<unknown>) | undefined;
  /** Variables with the addresses of proxies. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What is offered, instead of the catalogue. */
  readonly offers?: Readonly<Record<string, OfferedModel>>;
  /** A mirror with the archives, instead of the catalogue's address. */
  readonly from?: string;
}

export interface ModelWork {
  readonly step: PullStep | 'opening' | 'removing';
  /** Bytes that are done, of all, as far as that is known. */
  readonly done: number;
  readonly of: number | null;
}

/** A model that is installed, or that this computer could have. */
export interface ModelHere extends Pick<
  ListedModel,
  'id' | 'state' | 'live' | 'languages' | 'licence' | 'bytes' | 'archive_bytes'
> {
  /** What the model takes once it is loaded, about; `null`: unknown. */
  readonly memory_bytes: number | null;
  /** What an attempt that was broken off has left: the next goes on from there. */
  readonly fetched_bytes: number;
  readonly in_use: boolean;
  readonly work: ModelWork | null;
  /** Why the last installation failed. */
  readonly problem:
    | (Pick<AppError, 'code' | 'message'> & {
        readonly hint: string | null;
        /** Where the disk has no room. */
        readonly free_bytes: number | null;
        readonly needed_bytes: number | null;
      })
    | null;
}

export interface ModelsHere {
  /** Name of the recogniser that hears patients. */
  readonly recogniser: string | null;
  /** Whoever starts the server has chosen its recogniser. */
  readonly fixed: boolean;
  /** Bytes of this computer's memory. */
  readonly memory: number;
  /** Those for which this computer has the memory, and those that are installed; the best for most people first. */
  readonly items: readonly ModelHere[];
}

export interface ModelOffer {
  state(): Promise<ModelsHere>;
  /**
   * Begins to fetch and install the model; `state` tells how far it is, and why it failed. Where nothing hears patients, the
   * model does from then on. NOT_FOUND for a model that is not offered.
   */
  install(id: string): Promise<void>;
  /** Breaks off an installation. What was fetched is kept for the next. */
  cancel(id: string): Promise<void>;
  /** Removes the model, and what was fetched of it. INVALID_TRANSITION where `fixed` and in use. */
  remove(id: string): Promise<void>;
  /** Hears patients with the model, now and after the next start. Rejects as `ModelOfferDeps.choose`, and where `fixed`. */
  use(id: string): Promise<void>;
  /** Calls the listener whenever the state has changed, but for progress at most four times a second. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

export interface ModelOfferDeps extends Pick<EngineDeps, 'memory' | 'clock' | 'log'> {
  readonly dataDir: string;
  /** Name of the recogniser that hears patients; `null`: none. */
  readonly recogniser: () => string | null;
  /**
   * Has the recogniser of this choice hear patients from now on; `undefined`: the usual one. Rejects with CONFIGURATION or
   * ENGINE_UNAVAILABLE where that cannot serve, and changes nothing. `released` resolves once the former is closed.
   */
  readonly choose: (recogniser: Choice | undefined) => Promise<{ readonly released: Promise<void> }>;
}

/** Bytes on the disk for each byte of an archive, as models of the catalogue were seen to unpack to. */
const unpackedPerByte = 1.4;
const progressMs = 250;
const none = { use: 'none' };

export function createModelOffer(
  { dataDir, recogniser, choose, memory, clock, log }: ModelOfferDeps,
  { keep, env = {}, offers, from }: ModelOfferOptions,
): ModelOffer {
  const models = join(dataDir, 'models');
  const listeners = createListeners();
  const works = new Map<string, ModelWork>();
  const problems = new Map<string, AppError>();
  const installing = new Map<string, { readonly controller: AbortController; readonly end: Promise<void> }>();
  /** Only one at a time changes what hears patients. */
  const inTurn = createOrder();
  /** Calls off telling of progress later. */
  let callOff: (() => void) | undefined;

  const tell = (): void => {
    callOff?.();
    callOff = undefined;
    listeners.notify();
  };
  const note = (id: string, work: ModelWork): void => {
    const isNew = works.get(id)?.step !== work.step;
    works.set(id, work);
    if (isNew) tell();
    else callOff ??= clock.schedule(clock.now() + progressMs, tell);
  };
  const hears = (id: string): boolean => recogniser() === `local:${id}`;

  /** Does the work on the model, and shows it meanwhile. */
  async function during(id: string, step: ModelWork['step'], work: () => Promise<void>): Promise<void> {
    problems.delete(id);
    note(id, { step, done: 0, of: null });
    try {
      await work();
    } catch (error) {
      throw problemOf(error);
    } finally {
      works.delete(id);
      tell();
    }
  }

  const hearWith = (id: string): Promise<void> =>
    inTurn(async () => {
      const use = `local:${id}`;
      await choose({ use });
      // What is usual needs no setting, which a server with another data directory could not follow.
      const { use: usual } = await usualRecogniser(dataDir);
      await keep?.(use === usual ? undefined : use);
    });

  async function fetchModel(id: string, signal: AbortSignal): Promise<void> {
    const { preparePull } = await import('./pull/pull.ts');
    const pull = await preparePull({ models, id, from, ...(offers && { offers }) });
    const onProgress = (step: PullStep, done: number, of: number | undefined): void =>
      note(id, { step, done, of: of ?? null });
    if (!pull.facts.installed) await pull.run({ clock, signal, env, onProgress });
    if (!keep || recogniser() !== null) return;
    note(id, { step: 'opening', done: 0, of: null });
    await hearWith(id);
  }

  async function showModel({ bytes, archive_bytes, ...model }: ListedModel): Promise<ModelHere> {
    const { id } = model;
    const size = bytes ?? (archive_bytes === null ? null : unpackedPerByte * archive_bytes);
    const part = await stat(workPaths(models, id).part).catch(() => undefined);
    const problem = problems.get(id);
    const detail = (name: string): number | null => (problem?.details?.[name] as number | undefined) ?? null;
    return {
      ...model,
      bytes,
      archive_bytes,
      memory_bytes: size === null ? null : memoryForBytes(size),
      fetched_bytes: part?.size ?? 0,
      in_use: hears(id),
      work: works.get(id) ?? null,
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

  async function cancel(id: string): Promise<void> {
    const { controller, end } = installing.get(id) ?? {};
    controller?.abort();
    await end;
  }

  return {
    async state() {
      const listed = (await listModels(models, offers)).toSorted(byUse);
      const all = await Promise.all(listed.map(showModel));
      const fits = ({ state, memory_bytes }: ModelHere): boolean =>
        state !== 'available' || (memory_bytes ?? 0) <= memory;
      return { recogniser: recogniser(), fixed: keep === undefined, memory, items: all.filter(fits) };
    },

    async install(id) {
      if (works.has(id)) return;
      const { catalogue } = await import('./catalogue.ts');
      if (!findEntry(offers ?? catalogue, id)) throw new AppError('NOT_FOUND', { message: 'There is no such model.' });
      if (works.has(id)) return;
      const controller = new AbortController();
      const end = during(id, 'fetching', () => fetchModel(id, controller.signal))
        .catch((problem: AppError) => {
          if (problem.code === 'INTERNAL_ERROR') log({ level: 'error', event: 'model_not_installed', model: id });
          if (problem.code !== 'INTERRUPTED') problems.set(id, problem);
        })
        .finally(() => {
          installing.delete(id);
          tell();
        });
      installing.set(id, { controller, end });
    },

    cancel,

    async remove(id) {
      await cancel(id);
      await inTurn(async () => {
        const isInUse = hears(id);
        if (isInUse && !keep) throw fixedChoice();
        await during(id, 'removing', async () => {
          // Files of a model that is loaded can't be removed everywhere.
          if (isInUse) await (await choose(none)).released;
          await removeModel(models, id, clock);
          if (!isInUse) return;
          await keep?.(undefined);
          await choose(undefined);
        });
      });
    },

    async use(id) {
      if (!keep) throw fixedChoice();
      await during(id, 'opening', () => hearWith(id));
    },

    onChange: listeners.add,

    async close() {
      await Promise.all([...installing.keys()].map(cancel));
      await inTurn.idle();
      callOff?.();
    },
  };
}

const problemOf = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : isSystemError(error)
      ? new AppError('STORAGE_UNAVAILABLE', { ...explain(error), cause: error })
      : new AppError('INTERNAL_ERROR', { cause: error });

const fixedChoice = (): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'Whoever starts this server has chosen its recogniser.',
    hint: 'Start the server without --recogniser and LAUDIO_RECOGNISER to choose here.',
  });
