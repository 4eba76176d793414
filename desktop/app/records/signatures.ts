/** The signers of a record: resident, physician, and authors of addenda. */
import { isTransient } from '../../../src/client/transient.ts';
import type { RecordVersion } from '../../../src/contract/record-version.ts';
import { addendumKey } from '../../../src/domain/record-state.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Signature } from '../../bridge/record.ts';
import type { RecordCache } from './record-cache.ts';

const bySigner = ({ who, at, signer }: RecordVersion): Signature => ({ who, at, ...signer });

/** A signature never changes, and is stored; those of residents and addenda are read with the versions. */
export async function readSignatures(
  id: string,
  { cache, versionsOf }: { cache: RecordCache; versionsOf: (id: string) => Promise<RecordVersion[]> },
): Promise<CallOutput<'record.signature'>> {
  const kept = cache.get(id);
  const { preliminary: first, sections = [] } = kept?.record ?? {};
  const known = { signature: kept?.signature ?? null, preliminary: first ? { who: first.by, at: first.at } : null };
  if (known.signature && !first && sections.at(-1)?.key !== addendumKey) return { ...known, addenda: [] };
  const versions = await versionsOf(id).catch((error: unknown) => {
    if ((known.signature || first) && isTransient(error)) return null;
    throw error;
  });
  if (versions === null) return { ...known, addenda: [] };
  const signed = versions.find(({ change }) => change === 'signed');
  const preliminary = versions.find(({ version }) => version === first?.version);
  if (signed) await cache.putSignature(id, bySigner(signed));
  return {
    signature: signed ? bySigner(signed) : null,
    preliminary: preliminary ? bySigner(preliminary) : known.preliminary,
    addenda: signed
      ? versions
          .filter(({ change }) => change === 'addendum')
          .map(bySigner)
          .toReversed()
      : [],
  };
}
