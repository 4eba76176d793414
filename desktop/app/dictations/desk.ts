/** What the calls of dictation share. */
import type { OpenFile } from '../../../src/node/durable-file.ts';
import type { AppSettings } from '../../bridge.ts';
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
  readonly disk?: Disk;
}

export interface Desk {
  readonly deps: DictationsDeps;
  readonly disk: Disk;
  readonly sender: Sender;
  /** NOT_FOUND where there is none. */
  find(id: string): KeptDictation;
}
