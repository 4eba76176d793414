/** Every state of the frame, the list, the login, the settings and the jobs. */
import { fileMessage } from '../../../../src/contract/messages/files.ts';
import { setupCodeNeeded } from '../../../../desktop/bridge/session.ts';
import type { Dictation } from '../../../../desktop/bridge/dictation.ts';
import { notify } from '../../../../desktop/renderer/state/notices.ts';
import { followUpdates } from '../../../../desktop/renderer/state/updates.ts';
import { listStories } from './list-stories.ts';
import { listeningStories } from './listening-stories.ts';
import { macroStories } from './macro-stories.ts';
import { signStories } from './sign-stories.ts';
import { recorderStories } from './recorder-stories.ts';
import { moveCursor, setFilters } from '../../../../desktop/renderer/state/worklist/worklist.ts';
import { exams, never, refusal, session, settings } from './scripted-bridge.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';
import { vocabularyStories } from './vocabulary-stories.ts';

const now = Date.now();
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const list = exams(now);

const dictation = (change: Partial<Dictation>): Dictation => ({
  id: 'dic_1',
  item_id: 'wli_4',
  state: 'processing',
  recovered: false,
  seconds: 102,
  sample_rate: 16_000,
  saved_at: minutesAgo(3),
  template_id: null,
  language: 'pt-BR',
  can_undo: false,
  progress: 0.4,
  job_id: 'job_1',
  record_id: null,
  error: null,
  created_at: minutesAgo(4),
  revision: 0,
  ...change,
});
const running = [
  dictation({}),
  dictation({
    id: 'dic_2',
    item_id: 'wli_7',
    state: 'sending',
    progress: 0.72,
    seconds: 48,
    created_at: minutesAgo(2),
  }),
  dictation({ id: 'dic_3', item_id: 'wli_1', state: 'queued', progress: 0, seconds: 71, created_at: minutesAgo(1) }),
  dictation({ id: 'dic_4', item_id: 'wli_8', state: 'done', progress: 1, seconds: 63, created_at: minutesAgo(25) }),
];
const failed = dictation({
  id: 'dic_5',
  item_id: 'wli_10',
  state: 'failed',
  seconds: 133,
  created_at: minutesAgo(31),
  error: { code: 'ENGINE_UNAVAILABLE', message: 'The transcription engine is not available.' },
});

const work: Script = {
  'session.state': () => session(),
  'worklist.list': () => ({ items: list, as_of: minutesAgo(0) }),
  'dictation.list': () => ({ items: [] }),
  'changes.refused': () => ({ items: [] }),
  'templates.list': () => ({ items: [] }),
  'record.for_item': () => ({ items: [], waiting: [], written: null }),
  'typed.list': () => ({ items: [] }),
  'prior.list': () => ({ items: [], related: 0, kept: false }),
  'worklist.history': () => ({ items: [] }),
};

/** Presses it as soon as it is there; some views are fetched when they are first shown. */
async function press(selector: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found !== null) return found.click();
    await settle();
  }
  throw new Error(`nothing to press at ${selector}`);
}
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 120));
const out = (change: Parameters<typeof session>[0] = {}): Script => ({
  'session.state': () => session({ phase: 'logged-out', place: null, user: null, test_mode: false, ...change }),
});

function fill(label: string, value: string): void {
  const found = [...document.querySelectorAll('label')].find((each) => each.textContent === label);
  const input = document.getElementById(found?.htmlFor ?? '') as HTMLInputElement | null;
  if (input === null) throw new Error(`no field ${label}`);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

export const stories: Readonly<Record<string, Story>> = {
  worklist: { script: work, then: () => moveCursor(1) },
  'worklist-filters': {
    script: work,
    then: async () => {
      await press('.list-title .icon-button');
      await settle();
      setFilters({ modality: ['CT', 'MR'], status: ['draft', 'waiting'] });
    },
  },
  'worklist-mine': { script: work, then: () => setFilters({ tab: 'mine' }) },
  'worklist-done': { script: work, then: () => setFilters({ tab: 'done' }) },
  'worklist-all': {
    script: work,
    then: async () => {
      setFilters({ tab: 'all' });
      await settle();
      document.querySelector('.rows')?.scrollTo(0, 1e6);
    },
  },
  'worklist-search': { script: work, then: () => setFilters({ query: 'torax anonimo' }) },
  'worklist-no-match': { script: work, then: () => setFilters({ query: 'eco', tab: 'mine' }) },
  'worklist-loading': { script: { ...work, 'worklist.list': () => never() } },
  'worklist-empty': { script: { ...work, 'worklist.list': () => ({ items: [], as_of: minutesAgo(0) }) } },
  'worklist-all-done': {
    script: {
      ...work,
      'worklist.list': () => ({
        items: list.map((item) => ({ ...item, status: 'completed' as const })),
        as_of: minutesAgo(0),
      }),
    },
  },
  'worklist-offline': {
    script: {
      ...work,
      'session.state': () => session({ online: false, waiting: 3 }),
      'worklist.list': () => ({ items: list, as_of: minutesAgo(47) }),
    },
    at: '#/exam/wli_4',
  },
  'worklist-5000': { script: { ...work, 'worklist.list': () => ({ items: exams(now, 5000), as_of: minutesAgo(0) }) } },
  'taken-by-other': {
    script: {
      ...work,
      'worklist.list': ({ ids }) => ({
        items: list
          .filter((item) => ids === undefined || ids.includes(item.id))
          .map((item) =>
            ids === undefined
              ? item
              : { ...item, status: 'in_progress' as const, assigned_to: 'Dr. Nunes', version: 2 },
          ),
        as_of: minutesAgo(0),
      }),
    },
    at: '#/exam/wli_4',
    then: async (bridge) => {
      bridge.tell('item', { id: 'wli_4', status: 'in_progress', version: 2, change: 'status' });
      await settle();
      await settle();
    },
  },
  'exam-open': {
    script: { ...work, 'session.state': () => session({ place: 'this-computer', test_mode: false }) },
    at: '#/exam/wli_4',
  },
  'exam-document': { script: work, at: '#/exam/wli_4/document' },
  expired: {
    script: {
      ...work,
      'session.state': () =>
        session({
          phase: 'expired',
          waiting: 2,
          place: 'service',
          server: 'https://laudio.example.org',
          test_mode: false,
        }),
    },
    at: '#/exam/wli_4',
  },
  'viewer-apart': {
    script: {
      ...work,
      'settings.get': () => settings({ follow_viewer: true }),
      'hub.join': () => ({
        link: 'joined',
        fault: null,
        others: true,
        apart: { why: 'dictating', exam: { accession: 'SL-2026-004417' } },
      }),
    },
    at: '#/exam/wli_4',
  },
  'viewer-linked': {
    script: {
      ...work,
      'settings.get': () => settings({ follow_viewer: true }),
      'hub.join': () => ({ link: 'joined', fault: null, others: true, apart: null }),
    },
    at: '#/exam/wli_4',
  },
  import: {
    script: {
      ...work,
      'worklist.import': () => ({
        format: 'csv',
        guesses: [
          { what: 'encoding', value: 'windows-1252' },
          { what: 'dates', value: 'day, month, year' },
          { what: 'times', value: 'America/Sao_Paulo' },
        ],
        inserted: 21,
        updated: 2,
        deduped: 1,
        cancelled: 1,
        reinstated: 0,
        refused: {
          count: 3,
          first: [
            {
              place: { line: 4, item: 3 },
              accession_number: 'SL-2026-004418',
              message: 'the exam with this accession number or study UID is another patient’s: id and name differ',
              code: 'PATIENT_MISMATCH',
            },
            {
              place: { line: 6, item: 5 },
              accession_number: 'SL-2026-004419',
              message: 'modality must be a DICOM modality, for example CT or MR',
            },
            {
              place: { line: 11, item: 10 },
              accession_number: null,
              message: fileMessage('no_identifier'),
            },
          ],
        },
        noted: {
          count: 1,
          first: [
            {
              place: { line: 17, item: 16 },
              accession_number: 'SL-2026-004430',
              message: fileMessage('left_out', {
                field: 'patient_sex',
                source: fileMessage('column', { name: 'Sexo' }),
                what: fileMessage('a_sex'),
              }),
            },
          ],
        },
        stopped: null,
      }),
    },
    then: drop,
  },
  'import-failed': {
    script: {
      ...work,
      'worklist.import': () => {
        throw refusal(
          'UNSUPPORTED_MEDIA_TYPE',
          'This is not a worklist: it is a PDF.',
          'Export the list itself from the RIS.',
        );
      },
    },
    then: drop,
  },
  'drop-hover': {
    script: work,
    then: () => void dispatchEvent(new DragEvent('dragover', { dataTransfer: held(), cancelable: true })),
  },
  notices: {
    script: work,
    then: () => {
      notify({
        tone: 'done',
        text: 'A report is ready to read',
        action: { label: 'Open', run: () => undefined, about: null },
      });
      notify({
        tone: 'error',
        text: 'The service refused the change.',
        hint: 'Nothing is lost. Try again in a minute.',
      });
    },
  },
  jobs: { script: { ...work, 'dictation.list': () => ({ items: [...running, failed] }) }, at: '#/?jobs' },
  'jobs-none': { script: work, at: '#/?jobs' },
  'jobs-running': { script: { ...work, 'dictation.list': () => ({ items: running }) } },
  shortcuts: { script: work, at: '#/?shortcuts' },
  voice: { script: work, at: '#/?voice' },
  menu: { script: work, then: () => press('[popovertarget]:has(.me)') },
  'settings-profile': { script: work, at: '#/?settings' },
  ...Object.fromEntries(
    ['microphone', 'dictation', 'hotkeys', 'look', 'storage'].map((name, at): [string, Story] => [
      `settings-${name}`,
      {
        script: { ...work, 'dictation.list': () => ({ items: running }) },
        at: '#/?settings',
        then: async () => {
          await press(`.settings-nav button:nth-child(${at + 2})`);
          await settle();
        },
      },
    ]),
  ),
  ...Object.fromEntries(
    (['unpublished', 'idle', 'ready', 'restarting'] as const).map((phase): [string, Story] => [
      `settings-updates-${phase}`,
      {
        script: { ...work, 'updates.state': () => ({ phase, channel: 'stable', version: '0.2.0' }) },
        at: '#/?settings',
        then: async () => {
          await followUpdates();
          await press('.settings-nav button:nth-child(7)');
        },
      },
    ]),
  ),
  'settings-hotkey-conflict': {
    script: work,
    at: '#/?settings',
    then: async () => {
      await press('.settings-nav button:nth-child(4)');
      await settle();
      await press('.hotkeys li:nth-child(2) .hotkey');
      await settle();
      document
        .querySelector('.hotkey-waiting')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true }));
      await settle();
    },
  },
  ...recorderStories,
  ...listStories(work, list[0]!, now),
  ...macroStories(work, list[4]!),
  ...signStories(work, list[4]!),
  ...vocabularyStories(work),
  ...listeningStories(work, list[4]!),
  login: { script: out() },
  'login-first-user': {
    script: out({ needs_first_user: true }),
    then: async () => {
      await press('.place');
      await settle();
      await press('[type=submit]');
      await settle();
    },
  },
  'login-service': {
    script: out(),
    then: async () => {
      await press('li:nth-child(2) .place');
      await settle();
    },
  },
  ...Object.fromEntries(
    (['NETWORK', 'BAD_ANSWER', 'LOGIN_FAILED', 'FORBIDDEN'] as const).map((code): [string, Story] => [
      `login-${code.toLowerCase().replace('_', '-')}`,
      {
        script: {
          ...out(),
          'session.start': () => {
            throw { ...refusal(code, 'refused'), details: { reason: setupCodeNeeded } };
          },
        },
        then: async () => {
          await press('li:nth-child(2) .place');
          await settle();
          fill(document.querySelector('.field label')?.textContent ?? '', 'laudio.example.org');
          await settle();
          await press('[type=submit]');
          await settle();
        },
      },
    ]),
  ),
  'login-elsewhere': {
    script: { ...out(), 'session.start': () => ({ go_to: null }) },
    then: async () => {
      await press('li:nth-child(3) .place');
      await settle();
    },
  },
  locked: { script: { 'session.state': () => session({ phase: 'locked', waiting: 2 }) } },
  'app-away': {
    script: {
      'session.state': () => {
        throw refusal('NETWORK', 'Laudio is not responding on this computer.');
      },
    },
  },
};

function held(): DataTransfer {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['{"items":[]}'], 'worklist.json', { type: 'application/json' }));
  return transfer;
}

async function drop(): Promise<void> {
  dispatchEvent(new DragEvent('drop', { dataTransfer: held(), cancelable: true }));
  await settle();
  await settle();
}
