/**
 * The dictations of one person on this computer, from the first block of audio until the service has the record. Each
 * has a separate directory. Audio is reported as saved only when it is on disk.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { holdLock, lockPatience } from '../../../src/node/files/file-lock.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { AppFile, FileRange, HandlersOf } from '../service.ts';
import { checkUnreported } from './context.ts';
import type { DictationContext, DictationsDeps, Disk } from './context.ts';
import { createLiveWords } from './live/live-words.ts';
import type { LiveChoices } from './live/following.ts';
import { interrupt, isEditable } from './local-dictation.ts';
import type { LocalDictation } from './local-dictation.ts';
import { recordingCalls } from './recording-calls.ts';
import { createSender } from './sender.ts';
import { sendingCalls } from './sending-calls.ts';
import { createShelf } from './shelf.ts';
import type { Shelf } from './shelf.ts';
import { readWav, wavBytes } from './wav-file.ts';

const thisDisk: Disk = {
  open,
  async freeBytes(directory) {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  },
};

const unheard: LiveChoices = {
  isWanted: () => false,
  hasCommands: () => false,
  isHeard: () => false,
  report: async () => ({ template: undefined, macros: [], terms: [] }),
};

export interface Dictations {
  readonly handlers: HandlersOf<'dictation' | 'live'>;
  /** `undefined` if the address is not that of a dictation (`files.dictation` of the bridge). */
  file(address: string, range?: FileRange): Promise<AppFile | undefined>;
  /**
   * Opens the dictations left from the last run and resumes their work. Must precede any call. Throws CONFIGURATION if
   * another process has opened them.
   */
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createDictations(deps: DictationsDeps): Dictations {
  const disk = deps.disk ?? thisDisk;
  const live = createLiveWords({ ...deps, ...(deps.live ?? unheard) });
  const shelf = createShelf(deps, disk, live);
  const { all } = shelf;
  const sender = createSender({
    ...deps,
    live,
    queued: () => queuedOf(all),
    onMade: async (dictation, record) => deps.onMade?.(dictation, record, live.get(dictation) ?? undefined),
    onDone: (dictation) => shelf.remove(dictation),
  });
  const context: DictationContext = { deps, disk, sender, live, find: shelf.find };
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();
  let release = async (): Promise<void> => {};
  let callOff = (): void => {};
  return {
    handlers: whileOpen(
      {
        'dictation.list': async () => ({ items: listOf(all), revision: deps.revision() }),
        ...shelfCalls(context, shelf),
        ...recordingCalls(context, shelf),
        ...sendingCalls(context),
        'live.get': async ({ id }) => {
          const dictation = all.get(id);
          return { words: dictation ? live.get(dictation) : null, revision: deps.revision() };
        },
      },
      () => isClosed,
      underWay,
    ),
    file: async (address, range) => findFile(all, address, range),
    async start() {
      await ensurePrivateDirectory(deps.directory);
      release = await holdLock(join(deps.directory, 'dictations.lock'), { clock: deps.clock, timeout: lockPatience });
      await shelf.open();
      for (const dictation of all.values()) if (dictation.stored.state === 'processing') sender.follow(dictation);
      callOff = deps.onOnline(() => sender.wake());
      sender.wake();
    },
    async close() {
      isClosed = true;
      callOff();
      await sender.close();
      await live.close();
      // An accepted call may still write: a new dictation, a block.
      await Promise.allSettled(underWay);
      // The pages go on recording, but the app no longer stores their audio.
      await Promise.all(
        [...all.values()].map((dictation) => dictation.inOrder(() => interrupt(dictation).catch(() => undefined))),
      );
      await shelf.close();
      await release();
    },
  };
}

/**
 * While the app closes, calls are refused as busy: NOT_FOUND would mean that the dictation is gone. `underWay`:
 * collects the calls that have not ended.
 */
const whileOpen = <H extends object>(handlers: H, isClosed: () => boolean, underWay: Set<Promise<unknown>>): H =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      async (...args: unknown[]) => {
        if (isClosed()) throw new AppError('SERVER_BUSY', { message: appMessage('closing') });
        const answer = (handler as (...args: unknown[]) => Promise<unknown>)(...args);
        underWay.add(answer);
        return answer.finally(() => underWay.delete(answer));
      },
    ]),
  ) as H;

type ShelfCalls = Pick<HandlersOf<'dictation'>, 'dictation.start' | 'dictation.discard' | 'dictation.restore'>;

const shelfCalls = ({ deps, sender, find }: DictationContext, shelf: Shelf): ShelfCalls => ({
  async 'dictation.start'(beginning) {
    checkUnreported(deps, beginning.item_id);
    const dictation = await shelf.begin(beginning);
    dictation.notify();
    return dictation.view();
  },
  async 'dictation.discard'({ id }) {
    const dictation = find(id);
    await dictation.inOrder(async () => {
      if (dictation.stored.state === 'queued') await dictation.change({ state: 'open' });
      if (!isEditable(dictation.stored)) {
        throw new AppError('INVALID_TRANSITION', {
          message: appMessage('making'),
          hint: appMessage('making_hint'),
        });
      }
      await dictation.recording.end();
    });
    await sender.leave(dictation);
    await shelf.discard(dictation);
    const revision = deps.revision();
    deps.emit('discarded', { id, revision });
    return { revision };
  },
  async 'dictation.restore'({ id }) {
    const dictation = await shelf.restore(id);
    dictation.notify();
    return dictation.view();
  },
});

const listOf = (all: ReadonlyMap<string, LocalDictation>) =>
  [...all.values()].map((dictation) => dictation.view()).toSorted((a, b) => a.created_at.localeCompare(b.created_at));

const queuedOf = (all: ReadonlyMap<string, LocalDictation>): LocalDictation[] =>
  [...all.values()]
    .filter(({ stored }) => stored.state === 'queued')
    .toSorted((a, b) => (a.stored.sealed_at ?? '').localeCompare(b.stored.sealed_at ?? ''));

function findFile(all: ReadonlyMap<string, LocalDictation>, address: string, range?: FileRange): AppFile | undefined {
  const id = /^dictations\/([A-Za-z0-9_-]+)\.wav$/.exec(address)?.[1];
  const dictation = id === undefined ? undefined : all.get(id);
  if (!dictation) return undefined;
  const sound = dictation.sound();
  return { size: wavBytes(sound), contentType: 'audio/wav', stream: readWav(sound, range) };
}
