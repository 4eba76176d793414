/** The dependencies that the handlers of the dictation calls share. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { LiveReport } from '../../../src/reporting/live/words.ts';
import type { OpenFile } from '../../../src/node/files/durable-file.ts';
import { reported } from '../../bridge/dictation.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import type { ServiceDeps } from '../service.ts';
import type { LiveChoices } from './live/following.ts';
import type { LiveWordsOfDesk } from './live/live-words.ts';
import type { LocalDictation } from './local-dictation.ts';
import type { Sender } from './sender.ts';

/** The disk operations of dictations. An argument, so that a test can simulate a full disk. */
export interface Disk {
  readonly open: OpenFile;
  /** Number of bytes that can still be written to the directory. */
  freeBytes(directory: string): Promise<number>;
}

export interface DictationsDeps extends ServiceDeps {
  /** The upload format of the person's settings. With `opus` the page gets time to compress the audio. */
  uploadFormat(): AppSettings['upload_format'];
  /** Whether the exam is completed or has a signed report, which changes only by an addendum. */
  isReported(itemId: string): boolean;
  /** Absent: no live words. */
  readonly live?: LiveChoices;
  /**
   * Called when the service has made the record of the dictation. `words`: those of the dictation, as far as known
   * here.
   */
  onMade?(
    dictation: Pick<LocalDictation, 'id' | 'view'>,
    record: MedicalRecord,
    words: LiveReport | undefined,
  ): Promise<void>;
  readonly disk?: Disk;
}

export interface DictationContext {
  readonly deps: DictationsDeps;
  readonly disk: Disk;
  readonly sender: Sender;
  readonly live: LiveWordsOfDesk;
  /** Throws NOT_FOUND if there is no such dictation. */
  find(id: string): LocalDictation;
}

/** Throws if the report of the exam is signed: no key, pedal or late call may dictate over a signed report. */
export function checkUnreported({ isReported }: Pick<DictationsDeps, 'isReported'>, itemId: string): void {
  if (!isReported(itemId)) return;
  throw new AppError('INVALID_TRANSITION', {
    message: appMessage('report_signed'),
    hint: appMessage('stays'),
    details: { reason: reported },
  });
}
