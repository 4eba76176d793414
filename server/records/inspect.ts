/** Looks at each version of a document before it is kept; at long ones in a thread, so that nobody else waits. */
import { inspection, lengthOf } from '../../src/domain/report/inspection.ts';
import type { Inspected, Inspection } from '../../src/domain/report/inspection.ts';
import type { Services } from '../services.ts';

/** Characters that are looked at in a moment, sooner than a thread could be asked. */
const short = 5000;

/** SERVER_BUSY where too much is waiting to be looked at. */
export async function inspect(
  { workers }: Pick<Services, 'workers'>,
  document: Inspected,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
): Promise<Inspection> {
  if (lengthOf(document) <= short) return inspection(document);
  return workers.run('inspectDocument', document, { client: account, signal });
}
