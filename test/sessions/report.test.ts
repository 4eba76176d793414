/** A report's life, as several people and their programs live it over HTTP: random days against a model of what must be there. */
import { expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import { exportFormatNames } from '../../src/contract/export.ts';
import type { RecordUpdate } from '../../src/contract/record.ts';
import { startApi, succeeded } from '../support/api.ts';
import type { Answer, Api } from '../support/api.ts';
import * as fc from '../support/properties.ts';
import { answerLate } from '../support/late-store.ts';

type Sections = MedicalRecord['sections'];

/** What the record must be, and what each of its versions was. */
interface Life {
  id: string;
  version: number;
  status: MedicalRecord['status'];
  sections: Sections;
  /** What is signed while it can be taken back. */
  signing: Sections | null;
  readonly versions: Map<number, Sections>;
}

const { records, reviews, signatures } = contract;
const graceSeconds = 60;

const dictations = [
  'Test Patient. Findings: lungs are clear. There is a six millimeter nodule in the right upper lobe, no effusion. Impression: nodule.',
  'Test Patient. Findings: one two three four five. The liver is normal. Impression: normal examination.',
  'Test Patient. Technique: without contrast. Findings: fracture of the left radius. Impression: fracture.',
];
const phrases = [
  'three',
  'No fracture.',
  'a 5 mm cyst in the left kidney',
  'line one\nline two',
  'Área de 1,5 cm — não há derrame',
  'e\u0301', // In two characters, where most have one.
  '-10 HU',
  'scratch that',
];
const instructions = [
  'Replace nodule with cyst.',
  'Replace normal with unremarkable.',
  'undo that',
  'Add to the findings: the spleen is normal.',
  'In the impression, delete the last sentence.',
  'something that nobody understands',
];

/** What one person does to the text that they see. */
const edit = fc.record({
  section: fc.nat(4),
  kind: fc.constantFrom('append', 'prepend', 'remove word', 'write', 'empty', 'new section', 'no section'),
  phrase: fc.constantFrom(...phrases),
  word: fc.nat(12),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const normal = (text: string): string => text.normalize('NFC');

function editSections(sections: Sections, { section, kind, phrase, word }: Edit): Sections {
  const at = section % sections.length;
  const change = (by: (text: string) => string): Sections =>
    sections.map((each, index) => (index === at ? { ...each, text: normal(by(each.text)) } : each));
  switch (kind) {
    case 'append':
      return change((text) => `${text} ${phrase}`.trim());
    case 'prepend':
      return change((text) => `${phrase} ${text}`.trim());
    case 'remove word':
      return change((text) => {
        const words = text.split(' ');
        return words.toSpliced(word % words.length, 1).join(' ');
      });
    case 'write':
      return change(() => phrase);
    case 'empty':
      return change(() => '');
    case 'new section': {
      const key = `extra_${word}`;
      return sections.some((each) => each.key === key)
        ? sections
        : [...sections, { key, title: 'Extra', text: normal(phrase) }];
    }
    case 'no section':
      return sections.length < 2 ? sections : sections.toSpliced(at, 1);
  }
}

const same = (a: Sections, b: Sections): boolean => JSON.stringify(a) === JSON.stringify(b);
const isOpen = (life: Life): boolean => life.status !== 'final' && life.signing === null;

function gain(life: Life, sections: Sections): void {
  life.version += 1;
  life.sections = sections;
  life.versions.set(life.version, sections);
}

/** What a session does, by name; each gets the same drawn values and takes what it needs of them. */
const steps: Readonly<Record<string, (api: Api, life: Life, drawn: Drawn) => Promise<void>>> = {
  async edit(api, life, { edits: [first] }) {
    const sections = editSections(life.sections, first);
    const answer = await put(api, life, { sections });
    if (!isOpen(life)) return expectKept(answer, life, sections);
    expect(answer.status).toBe(200);
    if (!same(sections, life.sections)) gain(life, sections);
  },
  async 'edit what is old'(api, life, { edits: [first] }) {
    if (life.version < 2) return;
    const answer = await put(api, life, { sections: editSections(life.sections, first) }, `"${life.version - 1}"`);
    expect([409, 412]).toContain(answer.status);
  },
  async 'edit side by side'(api, life, { edits: [first, second], order }) {
    const wishes = [first, second].map((each) => editSections(life.sections, each));
    const ifMatch = `"${life.version}"`;
    const answers = await beside(
      order,
      wishes.map((sections) => () => put(api, life, { sections }, ifMatch)),
    );
    if (!isOpen(life)) return answers.forEach((answer, at) => expectKept(answer, life, wishes[at]!));
    // One wins, the other hears of it and has changed nothing; who changes nothing loses nothing.
    const before = life.sections;
    answers.forEach((answer, at) => {
      if (answer.status === 200 && !same(wishes[at]!, before)) gain(life, wishes[at]!);
      else if (answer.status !== 200) expect(answer.status).toBe(412);
    });
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(life.version - [...life.versions.keys()].at(-1)!).toBe(0);
  },
  async 'edit twice blindly'(api, life, { edits: [first, second], order }) {
    if (!isOpen(life)) return;
    const wishes = [first, second].map((each) => editSections(life.sections, each));
    const answers = await beside(
      order,
      wishes.map((sections) => () => put(api, life, { sections })),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    const { version, sections } = await present(api, life);
    expect(wishes.some((wish) => same(wish, sections))).toBe(true);
    for (let n = life.version + 1; n <= version; n++) life.versions.set(n, (await versionOf(api, life, n)).sections);
    Object.assign(life, { version, sections });
  },
  async instruct(api, life, { instruction }) {
    const answer = await api.call(records.endpoints.correct, { params: { id: life.id }, body: { text: instruction } });
    if (!isOpen(life)) return void expect(answer.status).toBe(409);
    const { record, changes, message } = succeeded(answer);
    expect(changes.length === 0).toBe(record.version === life.version);
    if (changes.length === 0) return void expect(message).toBeTruthy();
    gain(life, record.sections);
  },
  async 'take a conversion back'(api, life, { nth }) {
    const { operations } = succeeded(await api.call(reviews.endpoints.provenance, { params: { id: life.id } }));
    if (operations.length === 0) return;
    const { id: operation } = operations[nth % operations.length]!;
    const answer = await api.call(reviews.endpoints.undo, { params: { id: life.id }, body: { operation } });
    if (!isOpen(life)) return void expect(answer.status).toBe(409);
    expect([200, 409]).toContain(answer.status);
    if (answer.status === 200) gain(life, answer.data.sections);
  },
  async restore(api, life, { nth }) {
    const n = 1 + (nth % life.version);
    const { sections } = await versionOf(api, life, n);
    const answer = await put(api, life, { sections });
    if (!isOpen(life)) return expectKept(answer, life, sections);
    expect(answer.status).toBe(200);
    if (same(sections, life.sections)) return;
    gain(life, sections);
    const [then, now] = await Promise.all([n, life.version].map((version) => originsOf(api, life, version)));
    expect(now).toEqual(then);
  },
  async dismiss(api, life, { nth }) {
    const { findings_to_review: found = [] } = await present(api, life);
    const finding = found[nth % Math.max(found.length, 1)];
    if (!finding) return;
    const status = finding.status === 'open' ? 'dismissed' : 'open';
    const params = { id: life.id, finding: finding.id };
    const answer = await api.call(reviews.endpoints.decide, { params, body: { status } });
    if (!isOpen(life)) return void expect(answer.status).toBe(409);
    expect([200, 409]).toContain(answer.status);
    if (answer.status === 200) {
      expect(answer.data.findings_to_review?.find(({ id }) => id === finding.id)?.status).toBe(status);
    }
  },
  async sign(api, life) {
    const answer = await put(api, life, { status: 'final' });
    expect(answer.status).toBe(200);
    if (life.status === 'final') return;
    // Who signs again while the signature can be taken back ends that time.
    Object.assign(life, { status: 'final', signing: null });
    gain(life, life.sections);
  },
  async 'sign what is edited, with time to take it back'(api, life, { edits: [first] }) {
    const sections = editSections(life.sections, first);
    const answer = await put(api, life, { sections, status: 'final', grace_seconds: graceSeconds });
    if (!isOpen(life)) return expectKept(answer, life, sections);
    expect(answer.status).toBe(200);
    if (!same(sections, life.sections)) gain(life, sections);
    life.signing = sections;
  },
  async 'take the signature back'(api, life) {
    const answer = await api.call(signatures.endpoints.takeBack, { params: { id: life.id } });
    expect(answer.status).toBe(life.status === 'final' ? 409 : 200);
    life.signing = null;
  },
  async 'edit beside taking the signature back'(api, life, { edits: [first], order }) {
    if (!life.signing) return;
    const sections = editSections(life.sections, first);
    const [taken, edited] = await beside(order, [
      () => api.call(signatures.endpoints.takeBack, { params: { id: life.id } }),
      () => put(api, life, { sections }),
    ]);
    expect(taken.status).toBe(200);
    life.signing = null;
    expect([200, 409]).toContain(edited.status);
    if (edited.status === 200 && !same(sections, life.sections)) gain(life, sections);
  },
  async 'sign beside taking the signature back'(api, life, { order }) {
    if (!life.signing) return;
    const [taken, signed] = await beside(order, [
      () => api.call(signatures.endpoints.takeBack, { params: { id: life.id } }),
      () => put(api, life, { status: 'final' }),
    ]);
    life.signing = null;
    expect([taken.status, signed.status].every((status) => [200, 409].includes(status))).toBe(true);
    const { status } = await present(api, life);
    // Whoever is told that it is signed finds it signed.
    if (signed.status === 200) expect(status).toBe('final');
    if (status === 'final') {
      life.status = 'final';
      gain(life, life.sections);
    }
  },
  async wait(api, life) {
    api.clock.advance((graceSeconds + 1) * 1000);
    if (!life.signing) return;
    const isOver = async (): Promise<boolean> => (await present(api, life)).status === 'final';
    for (let tries = 0; !(await isOver()); tries++) {
      if (tries === 1000) throw new Error('The signature does not come to its end');
      await new Promise((resolve) => setImmediate(resolve));
    }
    Object.assign(life, { status: 'final', signing: null });
    gain(life, life.sections);
  },
  async 'add an addendum'(api, life, { edits: [{ phrase }] }) {
    const sections = [...life.sections, { key: 'addendum', title: 'Addendum', text: normal(phrase) }];
    if (life.status !== 'final' || life.sections.some(({ key }) => key === 'addendum')) return;
    const answer = await put(api, life, { sections });
    expect(answer.status).toBe(200);
    gain(life, answer.data.sections);
    expect(answer.data.sections.at(-1)?.text).toBe(normal(phrase));
  },
  async export(api, life, { nth }) {
    const format = exportFormatNames[nth % exportFormatNames.length]!;
    const answer = await api.call(records.endpoints.export, { params: { id: life.id }, query: { format } });
    // Only a report that measures something has them.
    const hasNone = format === 'dicom-measurements' && answer.status === 400;
    expect(answer.status).toBe(hasNone ? 400 : 200);
    if (format !== 'txt') return;
    for (const { text } of life.sections)
      for (const line of text.split('\n')) expect(answer.text).toContain(line.trim());
  },
};

/** Turns that the store waits for before each of its answers; none at the end of the list. */
let waits: number[] = [];

/** Calls side by side, over a store that takes so many turns for each of its answers. */
function beside<T extends readonly unknown[]>(
  order: readonly number[],
  calls: readonly [...{ [K in keyof T]: () => Promise<T[K]> }],
): Promise<T> {
  waits = [...order];
  return Promise.all(calls.map((call) => call())) as Promise<unknown> as Promise<T>;
}

const put = (api: Api, { id }: Life, body: RecordUpdate, ifMatch?: string): Promise<Answer<MedicalRecord>> =>
  api.call(records.endpoints.update, { params: { id }, body, ...(ifMatch && { headers: { 'if-match': ifMatch } }) });

const present = async (api: Api, { id }: Life): Promise<MedicalRecord> =>
  succeeded(await api.call(records.endpoints.get, { params: { id } }));

const versionOf = async (api: Api, { id }: Life, n: number): Promise<MedicalRecord> =>
  succeeded(await api.call(records.endpoints.version, { params: { id, n } }));

/** Who or what brought each word of a version. */
async function originsOf(api: Api, { id }: Life, version: number): Promise<unknown> {
  const { words } = succeeded(await api.call(reviews.endpoints.provenance, { params: { id }, query: { version } }));
  return words.map(({ section, start, end, origin }) => ({ section, start, end, origin }));
}

/** A change of what is signed, or of what somebody is signing, is refused, unless it changes nothing. */
function expectKept(answer: Answer<MedicalRecord>, life: Life, wish: Sections): void {
  if (same(wish, life.sections)) expect([200, 409, 412]).toContain(answer.status);
  else expect([409, 412]).toContain(answer.status);
}

/** Everything that is there is what the model has. */
async function expectLife(api: Api, life: Life, { nth }: Drawn): Promise<void> {
  const record = await present(api, life);
  expect(record).toMatchObject({ version: life.version, status: life.status, sections: life.sections });
  expect(record.signing !== undefined).toBe(life.signing !== null);
  for (const { text } of life.sections) expect(record.text).toContain(text);
  const n = 1 + (nth % life.version);
  expect((await versionOf(api, life, n)).sections).toEqual(life.versions.get(n));
  const { items } = succeeded(
    await api.call(records.endpoints.versions, { params: { id: life.id }, query: { limit: 200 } }),
  );
  expect(items.map(({ version }) => version)).toEqual(
    Array.from({ length: life.version }, (_, at) => life.version - at),
  );
}

const drawn = fc.record({
  edits: fc.tuple(edit, edit),
  instruction: fc.constantFrom(...instructions),
  nth: fc.nat(20),
  order: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A signature that can be taken back is where most calls meet. */
const often = Object.keys(steps).filter((name) => name.includes('signature') || name.includes('take it back'));
const weights = [
  { arbitrary: fc.constantFrom(...Object.keys(steps)), weight: 2 },
  { arbitrary: fc.constantFrom(...often), weight: 1 },
];
const session = fc.record({
  dictation: fc.constantFrom(...dictations),
  steps: fc.array(fc.tuple(fc.oneof(...weights), drawn), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  }),
});

test('no session with a report loses a word, brings one back, or ends in an error of the service', async () => {
  const api = await startApi({
    accessTokenTtl: 24 * 3600 * 1000,
    store: (real) => answerLate(real, () => waits.shift() ?? 0),
  });
  await fc.assert(
    fc.asyncProperty(session, async ({ dictation, steps: played }) => {
      const { id, version, status, sections } = await api.generate({ text: dictation });
      const life: Life = { id, version, status, sections, signing: null, versions: new Map([[version, sections]]) };
      for (const [name, values] of played) {
        await steps[name]!(api, life, values);
        await expectLife(api, life, values);
      }
    }),
    { numRuns: 40 },
  );
});
