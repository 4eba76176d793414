/** What to look at in a draft, in the page. What the checks find is tested with them (test/reporting/checks.test.ts). */
import { signal } from '@preact/signals';
import * as fc from '../../support/properties.ts';
import { expect, test, vi } from 'vitest';
import { createChecker } from '../../../desktop/renderer/state/report/checker.ts';
import type { CheckRequest } from '../../../desktop/renderer/state/report/checker.ts';
import type { OpenChecksThread } from '../../../desktop/renderer/state/report/checks-thread.ts';
import { followChecks } from '../../../desktop/renderer/state/report/checks.ts';
import { service, base, settled } from './report-service.ts';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import type { Exam } from '../../../src/reporting/checks/exam.ts';
import { prepareChecks } from '../../../src/reporting/checks/check.ts';
import { traceEdit } from '../../../src/reporting/versions/edits.ts';
import { inspection } from '../../../src/reporting/versions/inspection.ts';
import { write } from '../../../src/reporting/write.ts';

vi.mock('../../../src/reporting/checks/check.ts', { spy: true });

const template = [
  { key: 'findings', title: 'Findings' },
  { key: 'impression', title: 'Impression', required: true },
];
const transcript = 'Findings nodule of six millimeters in the right lobe. Impression nodule in the right lobe.';
const dictated = write({ heard: { text: transcript }, language: 'en-US', sections: template });
const written: MedicalRecord = { ...base, transcript, sections: [...dictated.sections], findings_to_review: [] };

interface Scene {
  readonly record?: MedicalRecord;
  /** What the app answers, or a function that says so. */
  readonly background?: unknown;
}

/** A draft in the page; `answer` lets the thread answer its next question. */
function begin({ record: first = written, background = { template, provenance: dictated.provenance } }: Scene = {}) {
  const record = signal<MedicalRecord | null>(first);
  const sections = signal<readonly Section[]>(first.sections);
  const exam = signal<Exam & { status: string }>({ modality: 'CT', exam_description: 'CT chest', status: 'new' });
  const { bridge } = service();
  const asked: CheckRequest[] = [];
  const waiting: (() => void)[] = [];
  const open: OpenChecksThread = (onAnswer) => {
    const check = createChecker();
    return {
      ask(question) {
        asked.push(question);
        const answered = check(structuredClone(question));
        waiting.push(() => onAnswer(structuredClone(answered)));
      },
      close: () => void (waiting.length = 0),
    };
  };
  const checks = followChecks({
    bridge: { ...bridge, call: async () => (typeof background === 'function' ? background() : background) as never },
    record,
    sections,
    exam: () => exam.value,
    by: () => 'Dra. Teste',
    open,
  });
  const answer = () => waiting.shift()?.();
  return {
    ...checks,
    record,
    sections,
    exam,
    asked,
    answer,
    async allAnswered() {
      await settled();
      while (waiting.length > 0) answer();
    },
    type(key: string, text: string) {
      sections.value = sections.peek().map((section) => (section.key === key ? { ...section, text } : section));
    },
    kinds: () => checks.findings.value.filter(({ status }) => status === 'open').map(({ kind }) => kind),
  };
}

test('spoken words are read once, however many keys, versions and changes of the worklist there are', async () => {
  const page = begin({ background: { template, provenance: null } });
  await page.allAnswered();
  const before = vi.mocked(prepareChecks).mock.calls.length;
  page.type('findings', 'Nodule of 8 mm in the right lobe.');
  await page.allAnswered();
  expect(page.kinds()).toEqual(['number_changed']);
  page.record.value = { ...page.record.value!, version: 2, sections: [...page.sections.value] };
  page.exam.value = { ...page.exam.value, status: 'in_progress' };
  page.type('findings', 'Nodule of 9 mm in the right lobe.');
  await page.allAnswered();
  expect(page.kinds()).toEqual(['number_changed']);
  expect(prepareChecks).toHaveBeenCalledTimes(before);
  page.exam.value = { ...page.exam.value, exam_description: 'CT right knee' };
  page.type('impression', 'Nodule in the left knee.');
  await page.allAnswered();
  expect(page.kinds()).toContain('side_differs_from_exam');
});

test('in a saved version: findings of the service', () => {
  const finding: Finding = {
    id: 'f_1',
    kind: 'unclear',
    severity: 'question',
    section: 'findings',
    start: 0,
    end: 6,
    transcript: null,
    message: 'Look here.',
    evidence: [],
    status: 'open',
    by: null,
    at: null,
  };
  const found: Finding[] = [
    finding,
    { ...finding, id: 'f_2', severity: 'info' },
    { ...finding, id: 'f_3', status: 'resolved' },
    { ...finding, id: 'f_4', status: 'dismissed' },
  ];
  const page = begin({ record: { ...written, findings_to_review: found } });
  expect(page.findings.value.map(({ id }) => id)).toEqual(['f_1', 'f_4']);
  page.record.value = { ...page.record.value!, status: 'final' };
  expect(page.findings.value).toEqual([]);
  // Nobody was asked before it was signed.
  const late: Finding = { ...finding, id: 'f_5', kind: 'heard_differently', severity: 'warning' };
  const asked: Finding = { ...late, id: 'f_6', severity: 'question' };
  page.record.value = { ...page.record.value!, findings_to_review: [...found, late, asked] };
  expect(page.findings.value.map(({ id }) => id)).toEqual(['f_5']);
});

test('during typing: required sections, open fields, and contradictions between sections', async () => {
  const page = begin();
  page.type('impression', '');
  await page.allAnswered();
  expect(page.kinds()).toEqual(['section_empty']);
  page.type('impression', 'Nodule of [__ mm] in the left lobe.');
  await page.allAnswered();
  expect(page.kinds().toSorted()).toEqual(['field_open', 'side_differs_between_sections']);
});

test('a changed fact is a question, with what was said, and shown as the person’s own', async () => {
  const page = begin();
  page.type('findings', 'Nodule of 7 mm in the right lobe.');
  await page.allAnswered();
  expect(page.findings.value).toMatchObject([
    { kind: 'number_changed', severity: 'question', readings: ['7', expect.stringMatching(/^\d+$/)] },
  ]);
  expect(page.words.value.filter(({ origin }) => origin === 'edited')).toMatchObject([
    { section: 'findings', start: 10, end: 11, by: 'Dra. Teste' },
  ]);
});

test('a dismissal survives further typing', async () => {
  let provenance = dictated.provenance;
  const page = begin({ background: () => ({ template, provenance }) });
  page.type('impression', 'Nodule in the left lobe.');
  await page.allAnswered();
  provenance = traceEdit(dictated, page.sections.value, { by: 'Dra. Teste', transcript });
  const [finding] = page.findings.value;
  const dismissed: Finding = { ...finding!, status: 'dismissed', by: 'Dra. Teste', at: base.created_at };
  page.record.value = {
    ...page.record.value!,
    version: 2,
    sections: [...page.sections.value],
    findings_to_review: [dismissed],
  };
  page.type('findings', `${page.sections.value[0]!.text} No effusion.`);
  await page.allAnswered();
  expect(page.findings.value).toMatchObject([{ id: dismissed.id, status: 'dismissed', by: 'Dra. Teste' }]);
});

test('one question at a time: of keys that come meanwhile only the last words are asked about', async () => {
  const page = begin();
  await page.allAnswered();
  const before = page.asked.length;
  for (const text of ['N', 'No', 'Nod', 'Nodu', 'Nodul', 'Nodule.']) page.type('impression', text);
  expect(page.asked).toHaveLength(before + 1);
  page.answer();
  expect(page.asked).toHaveLength(before + 2);
  expect(page.asked.at(-1)!.sections.at(-1)!.text).toBe('Nodule.');
  expect(page.asked.at(-1)).not.toHaveProperty('basis');
});

test('without an answer, the last findings of the service stay', () => {
  const page = begin({ record: { ...written, findings_to_review: [] } });
  page.type('impression', '');
  expect(page.findings.value).toEqual([]);
});

test('whatever is typed, and however slowly it is answered: the result equals that of the service', async () => {
  const step = fc.oneof(
    fc.constant('answer' as const),
    fc.record({
      key: fc.constantFrom('findings', 'impression'),
      text: fc
        .array(fc.constantFrom('Nodule', '6 mm', '8 cm', 'right', 'left', 'no', 'effusion', '.', '[__ mm]'))
        .map((words) => words.join(' ')),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const page = begin();
      await settled();
      for (const each of steps) {
        if (each === 'answer') page.answer();
        else page.type(each.key, each.text);
      }
      await page.allAnswered();
      const { found } = inspection({
        sections: page.sections.value,
        against: { language: 'en-US', template, heard: { text: transcript }, exam: page.exam.value },
        edited: { before: dictated, by: 'Dra. Teste' },
      });
      const isSaved = JSON.stringify(page.sections.value) === JSON.stringify(written.sections);
      const wanted = isSaved ? [] : found!.filter(({ severity }) => severity !== 'info');
      expect(page.findings.value.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      page.close();
    }),
    { numRuns: 40 },
  );
});

test('during typing, doubted words stay doubted, and each word keeps its second', async () => {
  const at = transcript.indexOf('six');
  const heard_words = [{ start: at, end: at + 3, from: 1, to: 2, confidence: 0.1 }];
  const page = begin({ background: { template, provenance: { ...dictated.provenance, heard_words } } });
  await page.allAnswered();
  page.type('findings', page.sections.value[0]!.text.replace('Nodule', 'A nodule'));
  await page.allAnswered();
  expect(page.kinds()).toContain('low_confidence');
  const [word] = page.said.value;
  const [place] = word!.places;
  expect(page.sections.value[0]!.text.slice(place!.start, place!.end)).toBe('6 mm');
});

test('findings that the page cannot make itself stay at their words while other text is typed', async () => {
  const { text } = written.sections[0]!;
  const [start, end] = [text.indexOf('right'), text.indexOf('right') + 'right'.length];
  const found = (kind: Finding['kind'], at: { start: number; end: number }): Finding => ({
    id: `f_${kind}`,
    kind,
    severity: 'question',
    section: 'findings',
    ...at,
    transcript: null,
    message: kind,
    evidence: [],
    status: 'open',
    by: null,
    at: null,
  });
  const findings_to_review = [
    found('low_confidence', { start, end }),
    found('suppressed', { start: text.length, end: text.length }),
  ];
  // The service tells nothing of the words, as when it is out of reach.
  const page = begin({ record: { ...written, findings_to_review }, background: { template, provenance: null } });
  page.type('impression', 'Nodule in the right lobe. Follow up.');
  await page.allAnswered();
  expect(page.kinds()).toEqual(['low_confidence', 'suppressed']);
  const longer = `A ${text}`;
  page.type('findings', longer);
  await page.allAnswered();
  expect(page.findings.value).toMatchObject([
    { kind: 'low_confidence', start: start + 2, end: end + 2 },
    { kind: 'suppressed', start: longer.length, end: longer.length },
  ]);
  page.type('findings', longer.replace('right', 'left'));
  await page.allAnswered();
  expect(page.kinds()).toContain('suppressed');
  expect(page.kinds()).not.toContain('low_confidence');
});

test('signed: where each word was said is asked for once', async () => {
  const page = begin({ record: { ...written, status: 'final' } });
  await page.allAnswered();
  expect(page.runs.value).toEqual(dictated.provenance.words);
  expect(page.words.value).toEqual([]);
});
