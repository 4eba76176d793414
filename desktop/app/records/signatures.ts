/** Who signed a document, and whoever added to it. */
import { isTransient } from '../../../src/client/transient.ts';
import type { RecordVersion } from '../../../src/contract/record-version.ts';
import { addendumKey } from '../../../src/domain/record-state.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Signature } from '../../bridge/record.ts';
import type { RecordCache } from './record-cache.ts';

const bySigner = ({ who, at, signer }: RecordVersion): Signature => ({ who, at, ...signer });

/** A signature never changes, and is kept; those of addenda come with later versions. */
export async function signaturesOf(
  id: string,
  { cache, versionsOf }: { cache: RecordCache; versionsOf: (id: string) => Promise<RecordVersion[]> },
): Promise<CallOutput<'record.signature'>> {
  const kept = cache.get(id);
  const hasAddenda = kept?.record.sections.at(-1)?.key === addendumKey;
  if (kept?.signature && !hasAddenda) return { signature: kept.signature, addenda: [] };
  const versions = await versionsOf(id).catch((error: unknown) => {
    if (kept?.signature && isTransient(error)) return null;
    throw error;
  });
  if (versions === null) return { signature: kept!.signature!, addenda: [] };
  const signed = versions.find((version) => version.change === 'signed');
  if (!signed) return { signature: null, addenda: [] };
  await cache.putSignature(id, bySigner(signed));
  return {
    signature: bySigner(signed),
    addenda: versions
      .filter(({ change }) => change === 'addendum')
      .map(bySigner)
      .toReversed(),
  };
}
