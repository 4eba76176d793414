/**
 * Imports reports: reads the files, sends their entries in requests of the size that the service accepts, and prints
 * the summary.
 */
import type { Client } from '../../src/client/client.ts';
import { maxBatchItems } from '../../src/contract/worklist.ts';
import { groupIntoBatches } from '../../src/sending/batches.ts';
import { sendBatches } from '../../src/sending/send.ts';
import type { Context } from '../context.ts';
import { patientSession } from '../resources/patient-session.ts';
import { sizeOfFiles } from './file-entries.ts';
import { createRetry } from './retry.ts';
import { readPriorEntries } from './prior-entries.ts';
import type { PriorEntriesOptions } from './prior-entries.ts';
import { checkStdin, noticesTo } from './send-files.ts';
import { addToSent, emptySent, summarise } from './summary.ts';

export interface SendPriorsOptions extends Pick<PriorEntriesOptions, 'files' | 'read'> {
  readonly sourceSystem: string | undefined;
  readonly quiet: boolean;
}

/** Sends the files and prints the summary. PARTIAL if a report was refused. */
export async function sendPriors(
  context: Context,
  { files, read, sourceSystem, quiet }: SendPriorsOptions,
): Promise<void> {
  checkStdin(files);
  await sizeOfFiles(files);
  const { io, clock, signal, settings } = context;
  const { client } = await patientSession(context);
  const { priors }: Pick<Client, 'priors'> = client;
  const { retries } = settings;
  const onWait = (words: string) => io.notice(words, 'warn');
  const patience = createRetry({ clock, signal, random: Math.random, retries, onWait });
  const headers: Record<string, string> = sourceSystem === undefined ? {} : { 'X-Source-System': sourceSystem };
  const started = clock.now();
  const sent = emptySent(true);
  const entries = readPriorEntries({ io, files, read, onNotice: noticesTo(io, sent) });
  const batches = groupIntoBatches(entries, { items: maxBatchItems, span: Infinity, endsAtUnread: false });
  await io.progress('Importing', () =>
    sendBatches(
      batches,
      { ingest: async ({ body }) => (await patience(() => priors.import({ json: body }, { signal, headers }))).data },
      // In order: a file may contain a report and its correction.
      { lanes: 1, signal, onSent: ({ done }) => addToSent(sent, done, []) },
    ),
  );
  await summarise(io, sent, { files, dryRun: false, quiet, elapsed: clock.now() - started, goOn: '' });
}
