/** Proposals for the impression of a draft: the writer condenses the findings, and the rules check each sentence. */
import { noProposals } from '../../src/contract/engine.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { ImpressionProposals } from '../../src/contract/impression.ts';
import { elementAt } from '../../src/domain/elements.ts';
import { checkProposals, listFindings } from '../../src/reporting/impression/proposed-sentences.ts';
import { describesFindings } from '../../src/reporting/checks/comparing.ts';
import { concludes } from '../../src/reporting/sections/section-kinds.ts';
import type { Call } from '../http/call.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import type { RecordDeps } from './deps.ts';
import { whileCalled } from './dictation.ts';
import { checkOpen, decideEdit } from './signing.ts';
import { readRecord } from './stored-record.ts';

export type ImpressionDeps = Pick<RecordDeps, 'store' | 'writer' | 'log'>;

/** Longer findings are neither read nor sent. */
const maxCharacters = 20_000;

interface ProposalsAnswer {
  readonly status: 200;
  readonly data: ImpressionProposals;
  readonly headers: Readonly<Record<string, string>>;
}

/** Changes and stores nothing. VERSION_CONFLICT if the record was changed while the model answered. */
export async function proposeImpression(
  { store, writer, log }: ImpressionDeps,
  id: string,
  call: Call,
): Promise<ProposalsAnswer> {
  const record = await readRecord(store, call.caller.space, id);
  checkIfMatch(call.header('if-match'), record);
  checkOpen(record);
  await decideEdit(store, record, call);
  if (!writer.proposeImpression) throw withoutProposals();
  const { language, sections, version } = record;
  const impression = sections.find(({ key }) => concludes(key))?.text ?? '';
  const read = sections.filter(describesFindings).map(({ text }) => text);
  if ([impression, ...read].join(' ').length > maxCharacters) throw tooLong();
  const findings = listFindings(sections);
  const proposed =
    findings.length === 0
      ? []
      : await whileCalled(
          call,
          writer.proposeImpression(
            { account: call.caller.space, findings: findings.map(({ text }) => text), language },
            call.signal,
          ),
        );
  const present = await readRecord(store, call.caller.space, id);
  if (present.version !== version) throw changedMeanwhile(present.version);
  const { sentences, refused } = checkProposals(proposed, findings, {
    language,
    present: impression,
  });
  log({
    level: 'info',
    event: 'impression_proposed',
    findings: findings.length,
    sentences: sentences.length,
    refused,
  });
  const data = {
    id,
    version,
    sentences: sentences.map(({ text, basis }) => ({
      text,
      basis: basis.map((number) => {
        const { section, start, end } = elementAt(findings, number);
        return { section, start, end };
      }),
    })),
    refused,
  };
  return { status: 200, data, headers: { ETag: etagOf(record) } };
}

const tooLong = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The findings are too long to be condensed.',
    hint: 'Write the impression yourself.',
    details: { reason: 'too_long' },
  });

const withoutProposals = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'The writer of this server proposes no impressions.',
    hint: 'Write the impression yourself, or have the operator choose a writer with a language model.',
    details: { reason: noProposals },
  });

const changedMeanwhile = (version: number): AppError =>
  new AppError('VERSION_CONFLICT', {
    message: 'The record was changed while the impression was being proposed; nothing was changed.',
    details: { version },
    hint: 'Ask for proposals again.',
  });
