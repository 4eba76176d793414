/** The facts about heard sound, as records and live transcriptions are stored. */
import type { HeardSound } from '../../src/domain/heard-text.ts';
import type { StoredRecord } from './stored-record.ts';

export const toStoredSound = ({
  unheard,
  once,
  foreign,
  gaps,
  ...sound
}: HeardSound): NonNullable<StoredRecord['heard_sound']> => ({
  ...sound,
  ...(unheard && { unheard: [...unheard] }),
  ...(once && { once: [...once] }),
  ...(foreign && { foreign: [...foreign] }),
  ...(gaps && { gaps: [...gaps] }),
});
