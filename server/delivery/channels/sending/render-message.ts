/** Renders a message of the outbox in the formats that its channel sends. */
import { AppError } from '../../../../src/contract/errors.ts';
import { exportDocument } from '../../formats/export-document.ts';
import { buildReport, findUnfit, lacksStudy } from '../../formats/export-record.ts';
import type { ReportDeps } from '../../formats/export-record.ts';
import { controlIdOf } from '../../../storage/control-id.ts';
import { warnOfImages } from '../../formats/key-image-uids.ts';
import { maxPages } from '../../formats/pdf/max-pages.ts';
import { versionId } from '../../../records/stored-record.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { SendResult, OutboundMessage, Sender, StoredMessage } from '../channel.ts';
import { refuse } from '../failures.ts';

export type RenderDeps = ReportDeps & Pick<DeliveryDeps, 'workers'>;

/** The rendered message, or why it can never be sent. Rejects with SERVER_BUSY if it cannot be rendered now. */
export async function renderMessage(
  deps: RenderDeps,
  message: StoredMessage,
  { formats, hl7: wanted, server, makesStudies = false }: Pick<Sender, 'formats' | 'hl7' | 'server' | 'makesStudies'>,
  signal: AbortSignal,
): Promise<OutboundMessage | Exclude<SendResult, { state: 'delivered' }>> {
  const { id, space, channel_id: client, record_id = '', record_version = 0, event = '', attempts = 0 } = message;
  const version = await deps.store.get('versions', versionId(record_id, record_version));
  if (!version) return refuse('NOT_FOUND', 'The document has been deleted.', 'Drop the message.');
  const report = await buildReport(deps, { ...version.record, space }, server);
  if (!makesStudies && lacksStudy(report, formats)) return withoutStudy;
  const unfit = findUnfit(report, formats);
  if (unfit) return refuse('IDENTIFIER_UNFIT', `The exam’s ${unfit.message}.`);
  const hl7 = wanted && { ...wanted, control_id: controlIdOf(id) };
  const contents: Uint8Array[] = [];
  for (const format of formats) {
    const content = await deps.workers.run(exportDocument, { format, report, ...(hl7 && { hl7 }) }, { client, signal });
    if (!content) return tooLong;
    if (content.length > 0) contents.push(content);
  }
  const warnings = formats.map((format) => warnOfImages(report, format, wanted)).filter((each) => each !== undefined);
  return { id, attempt: attempts + 1, event, report, contents, warnings };
}

const tooLong = refuse(
  'TOO_LONG',
  `The document would have more than ${maxPages} pages.`,
  'Send it by another way, and drop the message.',
);

/** Only this message waits: the receiver is not at fault. */
const withoutStudy: Extract<SendResult, { state: 'again' }> = {
  state: 'again',
  isOfExam: true,
  error: {
    code: 'NO_STUDY_UID',
    message: 'The exam has no study UID yet, so that the object would lie apart from its images.',
    hint: 'It is sent once a message names the study. Set without_study to make where no images will come.',
  },
};

export const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'SERVER_BUSY';
