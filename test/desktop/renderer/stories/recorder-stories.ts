/** The exam and its recorder, in every state. */
import type { LiveWords } from '../../../../desktop/bridge/live.ts';
import type { Dictation } from '../../../../desktop/bridge/dictation.ts';
import { shippedTemplates } from '../../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../../src/reporting/templates/template.ts';
import { exams, refusal, session } from './scripted-bridge.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

const now = Date.now();
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const list = exams(now);
const itemId = 'wli_1';
const at = `#/exam/${itemId}`;

const dictation = (change: Partial<Dictation> = {}): Dictation => ({
  id: 'dic_1',
  item_id: itemId,
  state: 'paused',
  recovered: false,
  seconds: 102.4,
  sample_rate: 16_000,
  saved_at: minutesAgo(1),
  template_id: null,
  language: 'pt-BR',
  can_undo: true,
  progress: 0,
  job_id: null,
  record_id: null,
  error: null,
  created_at: minutesAgo(4),
  revision: 0,
  ...change,
});

/** Something like speech: phrases with pauses between them. */
const peaks = Array.from({ length: 1200 }, (_, n) => {
  const phrase = Math.max(0, Math.sin(n / 37) + 0.55) / 1.55;
  const syllable = 0.45 + 0.55 * Math.abs(Math.sin(n / 2.3) * Math.cos(n / 7.1));
  return 0.004 + 0.7 * phrase * syllable;
});

const work = (...kept: Dictation[]): Script => ({
  'session.state': () => session(),
  'worklist.list': () => ({ items: list, as_of: minutesAgo(0) }),
  'worklist.take': ({ id }) => {
    const item = {
      ...list.find((each) => each.id === id)!,
      status: 'in_progress' as const,
      assigned_to: 'Dra. Helena Prado',
      version: 2,
    };
    return { outcome: 'taken', item, holder: item.assigned_to };
  },
  'dictation.list': () => ({ items: kept }),
  'dictation.peaks': () => ({ peaks, seconds: kept[0]?.seconds ?? 0 }),
  'dictation.start': () => dictation({ seconds: 0, can_undo: false }),
  'dictation.take': () => {
    const seconds = kept[0]?.seconds ?? 0;
    return { dictation: dictation({ state: 'recording', seconds }), at: seconds, stored: 0 };
  },
  'dictation.block': ({ from }) => ({ stored: from + 16_000, is_current: true, saved_at: new Date().toISOString() }),
  'dictation.pause': () => dictation({ seconds: (kept[0]?.seconds ?? 0) + 4 }),
  'dictation.discard': () => ({}),
  'templates.list': () => ({
    items: [templateIn('pt-BR', 'chest_ct', shippedTemplates['chest_ct']!)],
  }),
  'record.for_item': () => ({ items: [], waiting: [], written: null }),
  'typed.list': () => ({ items: [] }),
  'changes.refused': () => ({ items: [] }),
  'prior.list': () => ({
    items: ['TC de crânio sem contraste', 'Radiografia de tórax PA'].map((title, n) => ({
      id: `pri_${n}`,
      origin: 'imported' as const,
      status: 'final' as const,
      patient_id: '0045871',
      patient_name: 'TESTE^PACIENTE',
      display_name: 'Paciente Teste',
      patient_birth_date: null,
      patient_id_issuer: null,
      exam_datetime: minutesAgo(60 * 24 * (40 + n * 200)),
      exam_description: title,
      report_id: `R${n}`,
      accession_number: null,
      study_uid: null,
      modality: 'CT',
      reported_at: null,
      author: null,
      hospital_name: null,
      language: 'pt-BR' as const,
      source_system: 'RIS-A',
      worklist_item_id: null,
      version: 1,
      created_at: minutesAgo(60),
      updated_at: minutesAgo(60),
      differs: [],
    })),
    related: 1,
    kept: false,
  }),
  'worklist.history': () => ({
    items: [
      {
        id: 'h2',
        at: minutesAgo(9),
        who: 'Dr. Nunes',
        from: 'in_progress',
        to: 'new',
        reason: 'Outro plantão',
        source_system: null,
      },
      {
        id: 'h1',
        at: minutesAgo(31),
        who: 'Dr. Nunes',
        from: 'new',
        to: 'in_progress',
        reason: null,
        source_system: null,
      },
      { id: 'h0', at: minutesAgo(62), who: null, from: null, to: 'new', reason: null, source_system: 'PACS' },
    ],
  }),
});

const settle = (ms = 150): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();
const shown = async (selector: string): Promise<void> => {
  while (document.querySelector(selector) === null) await settle(50);
};
const record = async (ms = 1500): Promise<void> => {
  await shown('.record-button');
  press('.record-button');
  await settle(ms);
};
const resting = (change: Partial<Dictation>): Story => ({ script: work(dictation(change)), at });
const changed = (change: Partial<(typeof list)[number]>): Story => ({
  script: {
    ...work(),
    'worklist.list': () => ({
      items: list.map((item) => (item.id === itemId ? { ...item, ...change } : item)),
      as_of: minutesAgo(0),
    }),
  },
  at,
});

const saidIn = (key: string, title: string, [said, saying]: readonly [string, string], from: number) => ({
  key,
  title,
  text: said + saying,
  runs: [
    { start: 0, end: said.length, from },
    { start: said.length, end: said.length + saying.length, from: -1000 },
  ],
});
const heard = (change: Partial<LiveWords>): LiveWords => ({
  id: 'dic_1',
  item_id: itemId,
  state: 'hearing',
  sections: [
    saidIn('technique', 'Técnica', ['Aquisição volumétrica sem contraste.', ''], 0),
    saidIn(
      'findings',
      'Achados',
      [
        'Pulmões com transparência preservada, sem consolidações.\nNódulo sólido de 6 mm no lobo superior direito. ',
        'Sem derrame pleural',
      ],
      1000,
    ),
  ],
  heard: [{ from: 0, to: 2000 }],
  phrases: [],
  latest: 'Nódulo sólido de 6 mm no lobo superior direito.',
  revision: 1,
  ...change,
});

export const recorderStories: Readonly<Record<string, Story>> = {
  'recorder-idle': { script: work(), at },
  'recorder-sound-elsewhere': {
    script: {
      ...work(),
      'session.state': () => session({ recogniser: 'real', sound_goes_to: 'speech.hospital.example' }),
    },
    at,
  },
  'recorder-recording': { script: work(dictation({ seconds: 98.2 })), at, then: () => record(4000) },
  'recorder-first-words': { script: work(), at, then: () => record(3000) },
  'live-words': {
    script: { ...work(), 'live.get': () => ({ words: null }) },
    at,
    then: async (bridge) => {
      await record();
      bridge.tell('live', heard({}));
    },
  },
  'live-waiting': {
    script: { ...work(), 'live.get': () => ({ words: null }) },
    at,
    then: async (bridge) => {
      await record();
      bridge.tell('live', heard({ sections: [], latest: '' }));
    },
  },
  'live-missing': {
    script: { ...work(), 'live.get': () => ({ words: null }) },
    at,
    then: async (bridge) => {
      await record();
      bridge.tell('live', heard({ state: 'missing', sections: [], latest: '' }));
    },
  },
  'live-paused': {
    script: { ...work(dictation()), 'live.get': () => ({ words: heard({ state: 'still' }) }) },
    at,
  },
  'live-while-writing': {
    script: {
      ...work(),
      'live.get': () => ({ words: null }),
      'typed.list': () => ({
        items: [
          {
            kind: 'text' as const,
            subject: itemId,
            base_version: 0,
            text: 'Comparado com o exame de março.',
            stroke: { page: 'another', at: 1 },
          },
        ],
      }),
    },
    at,
    then: async (bridge) => {
      await record();
      bridge.tell('live', heard({}));
    },
  },
  'recorder-unsaved': {
    script: {
      ...work(),
      'dictation.block': () => {
        throw refusal('NETWORK', 'Laudio is not responding.');
      },
    },
    at,
    then: () => record(3500),
  },
  'recorder-full': {
    script: {
      ...work(),
      'dictation.block': () => {
        throw refusal('STORAGE_UNAVAILABLE', 'The disk is full.');
      },
    },
    at,
    then: () => record(3500),
  },
  'recorder-refused': {
    script: {
      ...work(),
      'dictation.start': () => {
        throw refusal(
          'STORAGE_UNAVAILABLE',
          'Nothing can be written on this computer.',
          'Free some space, then record again.',
        );
      },
    },
    at,
    then: () => record(),
  },
  'recorder-paused': {
    ...resting({}),
    then: async () => {
      await shown('.wave[aria-disabled=false]');
      document.querySelector('.wave')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }));
      await settle();
    },
  },
  'recorder-recovered': resting({ recovered: true, can_undo: true }),
  'recorder-queued': {
    script: { ...work(dictation({ state: 'queued' })), 'session.state': () => session({ online: false, waiting: 1 }) },
    at,
  },
  'recorder-sending': resting({ state: 'sending', progress: 0.62 }),
  'recorder-processing': resting({ state: 'processing', progress: 0.35, job_id: 'job_1' }),
  'recorder-failed': resting({
    state: 'failed',
    error: { code: 'ENGINE_UNAVAILABLE', message: 'The transcription engine is not available.' },
  }),
  'recorder-done': resting({ state: 'done', progress: 1, record_id: 'rec_1' }),
  'recorder-discarded': {
    ...resting({}),
    then: async () => {
      await shown('.recorder-send button:last-child:enabled');
      press('.recorder-send button:last-child');
      await settle();
    },
  },
  'recorder-elsewhere': {
    script: work(dictation({ item_id: 'wli_4', recovered: true })),
    at,
    then: async () => {
      await record(1200);
      location.hash = '#/exam/wli_6';
      dispatchEvent(new PopStateEvent('popstate'));
      await settle();
    },
  },
  'exam-past': {
    script: work(),
    at,
    then: async () => {
      await shown('.past');
      for (const details of document.querySelectorAll<HTMLDetailsElement>('.past details')) details.open = true;
      await settle();
      for (const details of document.querySelectorAll<HTMLDetailsElement>('.prior:first-of-type')) details.open = true;
      await settle();
      document.querySelector('.past')?.scrollIntoView();
    },
  },
  'exam-others': changed({ status: 'in_progress', assigned_to: 'Dr. Nunes' }),
  'exam-cancelled': changed({ status: 'cancelled', reason: 'Cadastro duplicado' }),
  'exam-gone': { script: work(), at: '#/exam/wli_999' },
  'exam-cancel': {
    script: work(),
    at,
    then: async () => {
      await shown('.exam-title');
      press('.exam-title .menu-button');
      await settle();
      press('.exam-title [role=menuitem]:last-child');
      await settle();
    },
  },
};
