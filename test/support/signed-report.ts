/** A signed document and its exam, as the exports get them. */
import type { Section } from '../../src/contract/document.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { textOf } from '../../src/domain/record-state.ts';
import type { Report } from '../../src/reporting/report-head.ts';

export const reportWith = (sections: Section[], changed: Partial<MedicalRecord> = {}): Report => ({
  record: {
    id: 'rec_01JNA0000000000000000000AB',
    version: 2,
    status: 'final',
    title: 'TC de tórax',
    template_id: 'ct_chest',
    language: 'pt-BR',
    sections,
    text: textOf(sections),
    transcript: null,
    source: { kind: 'text' },
    worklist_item_id: null,
    job_id: null,
    test_mode: false,
    metadata: {},
    created_at: '2026-03-02T10:50:00.000Z',
    updated_at: '2026-03-02T11:00:00.000Z',
    ...changed,
  },
  item: null,
  signature: { who: 'Dra. Helena Prado', at: '2026-03-02T11:00:00.000Z' },
});
