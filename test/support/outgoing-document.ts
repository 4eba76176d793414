/** A document whose exam is done, as it is written when somebody signs: with the messages to every channel that takes it. */
import { writeMessages } from '../../server/records/outbox.ts';
import { chooseChannels } from '../../server/delivery/channels/sending/choose-channels.ts';
import type { Ids } from '../../server/storage/ids.ts';
import type { StoredRecord } from '../../server/records/stored-record.ts';
import { versionId } from '../../server/records/stored-record.ts';
import type { Documents } from '../../server/storage/collections.ts';
import type { Store } from '../../server/storage/store.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { addendumKey } from '../../src/domain/record-state.ts';
import { reportWith } from './signed-report.ts';
import { storedItem } from './stored-item.ts';

/** What becomes of a document: a resident signs, an attending signs, something is added. */
export type Step = 'P' | 'F' | 'C';
const changes: Readonly<Record<Step, string>> = { P: 'signed_preliminary', F: 'signed', C: 'addendum' };

const study_uid = '1.2.826.0.1.3680043.8.498.1';

/** Writes the next version of the document of that exam, in the space `local`. Resolves to its number, from 1. */
export const writeDocument = (
  store: Store,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  exam: string,
  step: Step,
): Promise<number> =>
  store.transact(async (tx) => {
    const id = `rec_${exam}`;
    const item = `wli_${exam}`;
    if (!(await tx.get('items', item))) {
      tx.put('items', storedItem(item, { accession_number: exam, hospital_name: 'HSL', study_uid }));
    }
    const version = (await tx.find('versions', { is: { record: id } })).length + 1;
    const sections = [
      { key: 'findings', title: 'Achados', text: `Pulmões de aspecto normal, versão ${version}.` },
      ...Array.from({ length: step === 'C' ? 1 : 0 }, () => ({ key: addendumKey, title: 'Adendo', text: 'Mais.' })),
    ];
    const { record } = reportWith(sections, {
      id,
      version,
      status: step === 'P' ? 'preliminary' : 'final',
      worklist_item_id: item,
      updated_at: isoNow(clock),
    });
    tx.put('versions', {
      id: versionId(id, version),
      record_id: id,
      record,
      at: isoNow(clock),
      who: 'Dra. Helena Prado',
      change: changes[step] as Documents['versions']['change'],
    });
    await writeMessages(
      tx,
      { clock, ids, chooseChannels },
      { ...record, space: 'local' } as StoredRecord,
      'worklist.document',
    );
    return version;
  });
