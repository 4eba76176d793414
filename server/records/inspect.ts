/**
 * Inspects each version of a document before it is stored; a long version in a thread, so that other requests do not
 * wait.
 */
import { inspection, measureLength } from '../../src/reporting/versions/inspection.ts';
import type { InspectedVersion, Inspection } from '../../src/reporting/versions/inspection.ts';
import { threadTask } from '../runtime/workers/thread-task.ts';
import type { RecordDeps } from './deps.ts';

/** Finds what a long document says, in a thread. */
export const inspectDocument = threadTask(import.meta.url, 'inspectDocument', async (document: InspectedVersion) =>
  inspection(document),
);

/** Characters up to which inspection is faster here than by way of a thread. */
const short = 5000;

/** Inspects the document. SERVER_BUSY where too many documents wait for a thread. */
export async function inspect(
  { workers }: Pick<RecordDeps, 'workers'>,
  document: InspectedVersion,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
): Promise<Inspection> {
  if (measureLength(document) <= short) return inspection(document);
  return workers.run(inspectDocument, document, { client: account, signal });
}
