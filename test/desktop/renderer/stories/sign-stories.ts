/** A report to be signed by a PIN, and the PIN in the settings. */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { session } from './scripted-bridge.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

const time = '2026-03-02T11:30:00.000Z';
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const press = async (selector: string): Promise<void> => {
  while (document.querySelector(selector) === null) await settle();
  document.querySelector<HTMLElement>(selector)?.click();
  await settle();
};

export function signStories(work: Script, exam: WorklistItem): Readonly<Record<string, Story>> {
  const draft: MedicalRecord = {
    id: 'rec_1',
    version: 1,
    status: 'draft',
    title: exam.exam_description ?? '',
    template_id: 'general',
    language: 'pt-BR',
    sections: [
      { key: 'findings', title: 'Achados', text: 'Pulmões com transparência preservada. Sem derrame pleural.' },
      { key: 'impression', title: 'Impressão', text: 'Exame dentro dos limites da normalidade.' },
    ],
    text: '',
    transcript: 'Pulmões com transparência preservada. Sem derrame pleural.',
    source: { kind: 'text' },
    worklist_item_id: exam.id,
    job_id: null,
    test_mode: true,
    metadata: {},
    findings_to_review: [],
    created_at: time,
    updated_at: time,
  };
  const signed = (locked: boolean): Story => ({
    script: {
      ...work,
      'session.state': () => session({ pin: { has_pin: true, locked } }),
      'record.for_item': () => ({ items: [draft], waiting: [], written: null }),
      'record.background': () => ({ template: null, provenance: null }),
    },
    at: `#/exam/${exam.id}/document`,
    then: () => press('.document-foot .button-primary'),
  });
  return {
    'sign-pin': signed(false),
    'sign-pin-locked': signed(true),
    // The service fails at it: it is not signed, and the bar says that something is late.
    'sign-waits': {
      script: {
        ...work,
        'session.state': () => session({ waiting: 2, overdue: true, unsent: [draft.id], unsigned: [draft.id] }),
        'record.for_item': () => ({ items: [draft], waiting: [draft.id], written: null }),
        'record.background': () => ({ template: null, provenance: null }),
      },
      at: `#/exam/${exam.id}/document`,
    },
    'settings-pin': { script: work, at: '#/?settings', then: () => press('.own-pin .button') },
  };
}
