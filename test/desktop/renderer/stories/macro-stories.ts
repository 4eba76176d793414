/** Autotexts in every state, and the fields that they leave open in a report. */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { KeptMacro } from '../../../../desktop/bridge/macros.ts';
import { perform } from '../../../../desktop/renderer/state/keys.ts';
import { macros } from '../../../../desktop/renderer/state/wordbook/macros.ts';
import { refusal, session } from './scripted-bridge.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

const at = '#/?macros';
const time = '2026-03-02T11:30:00.000Z';

const macro = (id: number, change: Partial<KeptMacro> = {}): KeptMacro => ({
  id: `mac_${id}`,
  name: 'tórax normal',
  text: 'Pulmões com transparência preservada. Sem derrame pleural. Área cardíaca normal.',
  section: 'findings',
  language: 'pt-BR',
  owner: 'person',
  version: 1,
  created_at: time,
  updated_at: time,
  waits: false,
  ...change,
});

const texts: readonly (readonly [string, string, string | null])[] = [
  ['abdome total normal', 'Fígado de dimensões normais, contornos regulares e ecotextura homogênea.', 'findings'],
  ['cisto simples', 'Cisto simples no rim [lado: direito|esquerdo], medindo [__ mm].', 'findings'],
  ['coluna lombar degenerativa', 'Alterações degenerativas discais em [nível: L3-L4|L4-L5|L5-S1].', 'findings'],
  ['crânio normal', 'Parênquima encefálico com atenuação preservada. Sistema ventricular normal.', 'findings'],
  ['controle em seis meses', 'Sugere-se controle em seis meses.', 'recommendations'],
  ['conclusão normal', 'Exame dentro dos limites da normalidade.', 'impression'],
  [
    'nódulo tireoide',
    'Nódulo [composição: sólido|misto|cístico] no lobo [lado: direito|esquerdo], [__ mm].',
    'findings',
  ],
  ['técnica tomografia', 'Exame realizado em tomógrafo multislice, sem contraste.', 'technique'],
];
/** As many as somebody has after some years. */
const many = [
  macro(0),
  ...Array.from({ length: 320 }, (_, n): KeptMacro => {
    const [name, text, section] = texts[n % texts.length]!;
    const round = Math.floor(n / texts.length);
    return macro(n + 1, {
      name: round === 0 ? name : `${name} ${round + 1}`,
      text,
      section,
      owner: n % 3 === 1 ? 'space' : 'person',
      language: n % 5 === 0 ? null : 'pt-BR',
    });
  }),
];
const cyst = 'mac_2';

const said = 'Fígado normal. Cisto simples no rim [lado: direito|esquerdo], medindo [__ mm]. Baço normal.';
const openField = ({ start, end }: { start: number; end: number }): Finding => ({
  id: `f_${start}`,
  kind: 'field_open',
  severity: 'warning',
  section: 'findings',
  start,
  end,
  transcript: null,
  message: `O campo “${said.slice(start, end)}” não foi preenchido.`,
  evidence: [],
  status: 'open',
  by: null,
  at: null,
});

/** At the first words of the findings. */
const sideWarning: Finding = {
  ...openField({ start: 0, end: 6 }),
  id: 'f_organ',
  kind: 'exam_mismatch',
  message: '“Fígado” não pertence a este exame.',
};

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));
const loaded = async (): Promise<void> => {
  while (macros.items.peek() === undefined) await settle();
  await settle();
};

export function macroStories(work: Script, exam: WorklistItem): Readonly<Record<string, Story>> {
  const script = (change: Script = {}): Script => ({
    ...work,
    'macros.list': () => ({ items: many, as_of: new Date().toISOString() }),
    ...change,
  });
  const then = (act: () => void | Promise<void>) => async () => {
    await loaded();
    await act();
    await settle();
  };
  const changeCyst = (): void => {
    macros.open.value = cyst;
    macros.edit({ text: 'Cisto simples no rim [lado: direito|esquerdo], com [__ mm], sem septos.' });
  };
  const away = { 'session.state': () => session({ online: false, waiting: 1 }) } satisfies Script;
  const draft: MedicalRecord = {
    id: 'rec_1',
    version: 1,
    status: 'draft',
    title: exam.exam_description ?? '',
    template_id: 'general',
    language: 'pt-BR',
    sections: [
      {
        key: 'findings',
        title: 'Achados',
        text: said,
      },
      { key: 'impression', title: 'Impressão', text: 'Cisto renal simples.' },
    ],
    text: '',
    transcript: 'Achados: fígado normal. Cisto simples. Baço normal. Impressão: cisto renal simples.',
    source: { kind: 'text' },
    worklist_item_id: exam.id,
    job_id: null,
    test_mode: false,
    metadata: {},
    findings_to_review: fieldsIn(said).map(openField),
    created_at: time,
    updated_at: time,
  };
  const reported: Story = {
    script: {
      ...work,
      'record.for_item': () => ({ items: [draft], waiting: [], written: null }),
      'record.background': () => ({ template: null, provenance: null }),
    },
    at: `#/exam/${exam.id}/document`,
    then: async () => {
      while (document.querySelector('.mark-field') === null) await settle();
    },
  };
  return {
    macros: { script: script(), at, then: then(() => void (macros.open.value = cyst)) },
    'macros-list': { script: script(), at, then: then(() => undefined) },
    'macros-2000': {
      script: script({
        'macros.list': () => ({
          items: Array.from({ length: 2000 }, (_, n) => ({
            ...many[n % many.length]!,
            id: `mac_${n}`,
            name: `texto ${n}`,
          })),
          as_of: time,
        }),
      }),
      at,
    },
    'macros-none': { script: script({ 'macros.list': () => ({ items: [], as_of: time }) }), at },
    'macros-loading': { script: script({ 'macros.list': () => new Promise(() => undefined) }), at },
    'macros-too-old': {
      script: script({
        'macros.list': () => {
          throw refusal('NOT_FOUND', 'There is nothing here.');
        },
      }),
      at,
    },
    'macros-new': {
      script: script(),
      at,
      then: then(() =>
        macros.start({ name: 'cisto', text: 'Cisto no rim [lado: direito|esquerdo], [mm], visto em [__/__/____].' }),
      ),
    },
    'macros-taken': {
      script: script(),
      at,
      then: then(() => macros.start({ name: 'Cisto simples', text: 'Cisto.', owner: 'space', language: 'pt-BR' })),
    },
    'macros-changed': { script: script(), at, then: then(changeCyst) },
    'macros-conflict': {
      script: script({
        'macros.save': () => ({
          outcome: 'conflict',
          theirs: {
            ...many[2]!,
            version: 2,
            text: 'Cisto cortical simples no rim [lado: direito|esquerdo], de [__ mm].',
          },
        }),
      }),
      at,
      then: then(async () => (changeCyst(), macros.save())),
    },
    'macros-gone': {
      script: script({ 'macros.save': () => ({ outcome: 'deleted' }) }),
      at,
      then: then(async () => (changeCyst(), macros.save())),
    },
    'macros-old-login': {
      script: script({
        'macros.save': () => {
          throw refusal('INSUFFICIENT_SCOPE', 'The access token does not have the scope that this call needs.');
        },
      }),
      at,
      then: then(async () => (changeCyst(), macros.save())),
    },
    'macros-deleted': {
      script: script({ 'macros.delete': () => ({ outcome: 'deleted' }) }),
      at,
      then: then(() => macros.remove(many[2]!)),
    },
    'macros-offline': {
      script: script({
        ...away,
        'macros.list': () => ({
          items: many.map((each) => (each.id === cyst ? { ...each, waits: true } : each)),
          as_of: new Date(Date.now() - 47 * 60_000).toISOString(),
        }),
      }),
      at,
      then: then(() => void (macros.open.value = cyst)),
    },
    'report-fields': reported,
    'report-warning': {
      ...reported,
      script: {
        ...reported.script,
        'record.for_item': () => ({
          items: [{ ...draft, findings_to_review: [...fieldsIn(said).map(openField), sideWarning] }],
          waiting: [],
          written: null,
        }),
      },
      then: async (bridge) => {
        await reported.then?.(bridge);
        perform('next_note');
        await settle();
      },
    },
    'report-misspelt': {
      ...reported,
      script: {
        ...reported.script,
        'record.for_item': () => ({
          items: [
            {
              ...draft,
              language: 'en-US',
              sections: [{ key: 'findings', title: 'Findings', text: 'Small pleural efusion on the left.' }],
              findings_to_review: [],
            },
          ],
          waiting: [],
          written: null,
        }),
      },
      then: async () => {
        while (document.querySelector('.mark-misspelt') === null) await settle();
        perform('next_note');
        await settle();
      },
    },
    'sign-fields': {
      ...reported,
      then: async (bridge) => {
        await reported.then?.(bridge);
        document.querySelector<HTMLElement>('.document-foot .button-primary')?.click();
        await settle();
      },
    },
  };
}
