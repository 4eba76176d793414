/** The sound beside a report: its player, the words that are being heard, and those that the recogniser doubted. */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Provenance } from '../../../../src/contract/provenance.ts';
import { write } from '../../../../src/reporting/write.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

const time = '2026-03-02T11:30:00.000Z';
const transcript =
  'Achados: opacidade em vidro fosco no lobo inferior direito, medindo cinco milímetros por quatro milímetros. Sem derrame pleural. Área cardíaca normal. Conclusão: opacidade em vidro fosco no lobo inferior direito.';
const unsure = ['fosco', 'inferior', 'derrame'];
const words = [...transcript.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index: start }, at) => ({
  start,
  end: start + word.length,
  from: at * 0.45,
  to: at * 0.45 + 0.4,
  confidence: unsure.includes(word) ? 0.3 : 0.9,
}));
const { sections, provenance } = write({
  heard: { text: transcript },
  language: 'pt-BR',
  sections: [
    { key: 'findings', title: 'Achados' },
    { key: 'impression', title: 'Impressão' },
  ],
});
const doubted = sections[0]!.text.indexOf('derrame');

/** A sound in which nobody speaks, as long as the dictation. */
function silence(seconds: number): string {
  const rate = 8000;
  const bytes = new Uint8Array(44 + rate * seconds).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const header: readonly (readonly [at: number, value: string | number, size?: 2])[] = [
    [0, 'RIFF'],
    [4, bytes.length - 8],
    [8, 'WAVEfmt '],
    [16, 16],
    [20, 1, 2],
    [22, 1, 2],
    [24, rate],
    [28, rate],
    [32, 1, 2],
    [34, 8, 2],
    [36, 'data'],
    [40, rate * seconds],
  ];
  for (const [at, value, size] of header) {
    if (typeof value === 'string') bytes.set(new TextEncoder().encode(value), at);
    else if (size) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
  }
  return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
}

export function listeningStories(work: Script, exam: WorklistItem): Readonly<Record<string, Story>> {
  const record: MedicalRecord = {
    id: 'rec_1',
    version: 1,
    status: 'draft',
    title: exam.exam_description ?? '',
    template_id: 'general',
    language: 'pt-BR',
    sections: [...sections],
    text: '',
    transcript,
    source: { kind: 'audio', audio_seconds: 14, content_type: 'audio/wav' },
    worklist_item_id: exam.id,
    job_id: null,
    test_mode: false,
    metadata: {},
    findings_to_review: [
      {
        id: 'f_1',
        kind: 'low_confidence',
        severity: 'question',
        section: 'findings',
        start: doubted,
        end: doubted + 'derrame'.length,
        transcript: null,
        message: 'Palavra incerta: “derrame”. Confira no áudio.',
        evidence: [],
        status: 'open',
        by: null,
        at: null,
      },
    ],
    created_at: time,
    updated_at: time,
  };
  const known = { template: null, provenance: { ...structuredClone(provenance), heard_words: words } as Provenance };
  const script = (change: Script = {}, shown: Partial<MedicalRecord> = {}): Script => ({
    ...work,
    'record.for_item': () => ({ items: [{ ...record, ...shown }], waiting: [], written: null }),
    'record.background': () => known,
    'record.signature': () => ({ signature: null, preliminary: null, addenda: [] }),
    ...change,
  });
  const button = async (label: RegExp): Promise<HTMLElement> => {
    for (;;) {
      const found = [...document.querySelectorAll<HTMLElement>('.document button')].find((each) =>
        label.test(each.getAttribute('aria-label') ?? each.textContent),
      );
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const unfold = (): void => document.querySelector('.document-source')?.setAttribute('open', '');
  const at = `#/exam/${exam.id}/document`;
  return {
    'report-sound': { script: script(), at, then: async () => void (await button(/^(Listen|Ouvir|Escuchar)$/)) },
    'report-heard': {
      script: script({}, { status: 'final', findings_to_review: [] }),
      at,
      then: async (bridge) => {
        Object.assign(bridge, { address: () => silence(14) });
        (await button(/^(Listen|Ouvir|Escuchar)$/)).click();
        unfold();
      },
    },
    'report-doubted': {
      script: script(),
      at,
      then: async () => {
        await button(/^(Listen|Ouvir|Escuchar)$/);
        unfold();
        document.querySelector('.document-page')?.scrollTo(0, 1e6);
      },
    },
    'report-sound-away': {
      script: script(),
      at,
      then: async () => (await button(/^(Listen|Ouvir|Escuchar)$/)).click(),
    },
    'report-untimed': {
      script: script({ 'record.background': () => ({ template: null, provenance: null }) }),
      at,
      then: async () => void (await button(/^(Listen|Ouvir|Escuchar)$/)),
    },
  };
}
