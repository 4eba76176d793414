/**
 * A transcription that another member has, as far as it is stored: for a record that is generated here. Sound and final words are in
 * the store before any answer names them.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { createBell } from '../../../src/domain/bell.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { SessionDeps } from './session.ts';
import { openSound } from './sound.ts';
import { endedStatus, isSettled } from './stored-transcription.ts';
import type { StoredPhrase, StoredTranscription } from './stored-transcription.ts';
import type { Session, Sound } from './transcriptions.ts';

/** The parts of a transcription that a record needs. */
export type SpokenSession = Pick<Session, 'stored' | 'phrases' | 'end' | 'settled'> & {
  readonly sound: Pick<Sound, 'size' | 'read'>;
};

/** How often sound is looked for again that the other member has merged meanwhile. */
const maxReloads = 3;

export async function openStoredSession(
  deps: Pick<SessionDeps, 'store' | 'clock' | 'blobs' | 'ids' | 'log'>,
  opened: StoredTranscription,
): Promise<SpokenSession> {
  const { store, clock } = deps;
  const { id } = opened;
  let stored = opened;
  let sound = await openSound(deps, id);
  let phrases: readonly StoredPhrase[] = [];

  async function* read(from: number, to: number): AsyncGenerator<Buffer, void> {
    let at = from;
    for (let reloads = 0; ; reloads++) {
      try {
        for await (const bytes of sound.read(at, to)) {
          yield bytes;
          at += bytes.length;
        }
        return;
      } catch (error) {
        if (reloads >= maxReloads) throw error;
        sound = await openSound(deps, id);
      }
    }
  }

  return {
    get stored() {
      return stored;
    },
    get phrases() {
      return phrases;
    },
    sound: {
      get size() {
        return sound.size;
      },
      read,
    },
    async end() {
      stored = await store.transact(async (tx) => {
        const present = await tx.get('transcriptions', id);
        if (!present) throw new AppError('NOT_FOUND');
        if (present.status !== 'open') return present;
        const ended = { ...present, status: endedStatus(present), updated_at: isoNow(clock) };
        tx.put('transcriptions', ended);
        return ended;
      });
      sound = await openSound(deps, id);
    },
    async settled(signal) {
      const bell = createBell();
      const unwatch = store.watch('transcriptions', (ids) => ids.includes(id) && bell.ring());
      try {
        for (;;) {
          if (signal.aborted) throw new AppError('INTERRUPTED');
          const rung = bell.rung(signal);
          const present = await store.get('transcriptions', id);
          if (!present) throw new AppError('NOT_FOUND');
          stored = present;
          if (isSettled(stored)) break;
          await rung;
        }
      } finally {
        unwatch();
      }
      phrases = (await store.find('phrases', { is: { transcription: id } })).toReversed();
      sound = await openSound(deps, id);
    },
  };
}
