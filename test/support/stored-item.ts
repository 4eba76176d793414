import type { Documents } from '../../server/storage/collections.ts';
import type { Store } from '../../server/storage/store.ts';

type Item = Documents['items'];

/** A stored item of a test patient. */
export const storedItem = (id: string, changes: Partial<Item> = {}): Item => ({
  id,
  space: 'local',
  accession_number: null,
  study_uid: null,
  patient_id: 'P-1',
  patient_name: 'Test Patient',
  display_name: 'Test Patient',
  modality: 'CT',
  exam_datetime: '2026-03-02T11:30:00.000Z',
  exam_description: 'TC de tórax',
  patient_sex: null,
  patient_birth_date: null,
  patient_age: null,
  exam_room: null,
  referring_physician: null,
  hospital_name: null,
  location: null,
  procedure_id: null,
  series_count: null,
  images_count: null,
  metadata: null,
  status: 'new',
  reason: null,
  source_system: null,
  record_id: null,
  assigned_to: null,
  created_at: '2026-03-02T11:30:00.000Z',
  updated_at: '2026-03-02T11:30:00.000Z',
  version: 1,
  ...changes,
});

/** An id of an item, in the order of the numbers. */
export const numbered = (n: number): string => `wli_${String(n).padStart(6, '0')}`;

export const idsOf = (documents: readonly { id: string }[]): string[] => documents.map(({ id }) => id);

export const putItems = (store: Store, ...items: Item[]): Promise<void> =>
  store.transact(async (tx) => items.forEach((item) => tx.put('items', item)));
