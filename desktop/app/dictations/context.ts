/** What the calls of dictation share. */
import { AppError } from '../../../src/contract/errors.ts';
import type { OpenFile } from '../../../src/node/durable-file.ts';
import { reported } from '../../bridge/dictation.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import type { ServiceDeps } from '../service.ts';
import type { KeptDictation } from './kept-dictation.ts';
import type { Sender } from './sender.ts';

/** What is asked of the disk; an argument, so that tests can fill it. */
export interface Disk {
  readonly open: OpenFile;
  /** Bytes that the person may still write there. */
  freeBytes(directory: string): Promise<number>;
}

export interface DictationsDeps extends ServiceDeps {
  /** In what the person wants dictations to be sent: with `opus`, the page is given time to compress. */
  uploadFormat(): AppSettings['upload_format'];
  /** Whether the exam is completed, or has a signed report: that changes by an addendum alone. */
  isReported(itemId: string): boolean;
  readonly disk?: Disk;
}

export interface DictationContext {
  readonly deps: DictationsDeps;
  readonly disk: Disk;
  readonly sender: Sender;
  /** NOT_FOUND where there is none. */
  find(id: string): KeptDictation;
}

/** Throws where nothing may be dictated for the exam: no key, pedal or late hand covers a signed report. */
export function requireUnreported({ isReported }: Pick<DictationsDeps, 'isReported'>, itemId: string): void {
  if (!isReported(itemId)) return;
  throw new AppError('INVALID_TRANSITION', {
    message: 'The report of this exam is signed: it changes by an addendum.',
    hint: 'What was dictated is kept.',
    details: { reason: reported },
  });
}
