/** Writes a message of the outbox out, in the formats that its channel sends. */
import type { MessageError } from '../../src/contract/channel.ts';
import { AppError } from '../../src/contract/errors.ts';
import { fullReport } from '../delivery/export-record.ts';
import type { ReportDeps } from '../delivery/export-record.ts';
import { controlIdOf } from '../delivery/hl7/control-id.ts';
import { maxPages } from '../delivery/pdf/max-pages.ts';
import { versionId } from '../records/stored-record.ts';
import type { Services } from '../services.ts';
import type { Letter, Sender, StoredMessage } from './channel.ts';

export type LetterDeps = ReportDeps & Pick<Services, 'workers'>;

/** The letter for that sender, or why there will never be one. Rejects with SERVER_BUSY where there is none now. */
export async function letterOf(
  deps: LetterDeps,
  message: StoredMessage,
  { formats, hl7: wanted }: Pick<Sender, 'formats' | 'hl7'>,
  signal: AbortSignal,
): Promise<Letter | MessageError> {
  const { id, space, channel_id: client, record_id = '', record_version = 0, event = '', attempts = 0 } = message;
  const version = await deps.store.get('versions', versionId(record_id, record_version));
  if (!version) return { code: 'NOT_FOUND', message: 'The document has been deleted.', hint: 'Drop the message.' };
  const report = await fullReport(deps, { ...version.record, space });
  const hl7 = wanted && { ...wanted, control_id: controlIdOf(id) };
  const contents: Uint8Array[] = [];
  for (const format of formats) {
    const content = await deps.workers.run(
      'exportDocument',
      { format, report, ...(hl7 && { hl7 }) },
      { client, signal },
    );
    if (!content) return tooLong;
    contents.push(content);
  }
  return { id, attempt: attempts + 1, event, report, contents };
}

const tooLong: MessageError = {
  code: 'TOO_LONG',
  message: `The document would have more than ${maxPages} pages.`,
  hint: 'Send it by another way, and drop the message.',
};

export const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'SERVER_BUSY';
