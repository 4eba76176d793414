/** From what was sent to what is stored. */
import { isDeepStrictEqual } from 'node:util';
import { clearableFieldNames } from '../../src/contract/worklist.ts';
import type { coreFieldNames, WorklistItem, WorklistItemInput } from '../../src/contract/worklist.ts';
import { mergeMetadata } from '../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { displayName } from '../../src/domain/person-name.ts';
import type { Documents } from '../store/collections.ts';

type StoredItem = Documents['items'];
type ClearedFields = Pick<Required<WorklistItem>, (typeof clearableFieldNames)[number]>;

type NewFields = WorklistItemInput & Pick<WorklistItem, (typeof coreFieldNames)[number]>;

/** Everything that an item may do without. */
const cleared = Object.fromEntries(clearableFieldNames.map((name) => [name, null])) as unknown as ClearedFields;

/** Where and when an item came in. */
export interface Arrival {
  readonly space: string;
  readonly source_system: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** A new item from one that was checked and has the five core fields. */
export function newItem(id: string, sent: NormalisedItem, arrival: Arrival): StoredItem {
  const fields = sent.fields as NewFields;
  return {
    id,
    space: arrival.space,
    accession_number: null,
    study_uid: null,
    ...cleared,
    ...fields,
    metadata: mergeMetadata(null, sent),
    display_name: displayName(fields.patient_name),
    status: 'new',
    reason: null,
    source_system: arrival.source_system,
    record_id: null,
    assigned_to: null,
    created_at: arrival.at,
    updated_at: arrival.at,
    version: 1,
  };
}

/**
 * The stored item with what was sent for it, or the stored item itself where that changes nothing. Absent fields stay.
 * The data of a completed or cancelled exam may be corrected like that of any other; its status is never touched by
 * this: an exam is reinstated by a change of status alone.
 */
export function updatedItem(stored: StoredItem, sent: NormalisedItem, arrival: Arrival): StoredItem {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(sent.fields)) {
    const value = sent.fields[name];
    if (name !== 'metadata' && value !== stored[name as keyof StoredItem]) changes[name] = value;
  }
  const metadata = mergeMetadata(stored.metadata, sent);
  if (metadata !== stored.metadata && !isDeepStrictEqual(metadata, stored.metadata)) changes['metadata'] = metadata;
  if (Object.keys(changes).length === 0) return stored;
  const name = changes['patient_name'];
  return {
    ...stored,
    ...changes,
    ...(typeof name === 'string' && { display_name: displayName(name) }),
    source_system: arrival.source_system ?? stored.source_system,
    updated_at: arrival.at,
    version: stored.version + 1,
  };
}
