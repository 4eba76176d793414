/** What somebody changed by hand in the words of a dictation, in the document that the service has made of it. */
import { expect, test } from 'vitest';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { applyTypedEdits } from '../../../../desktop/app/desk/apply-typed-edits.ts';
import type { HandEdit } from '../../../../src/reporting/live/hand-edits.ts';
import { applyHandEdits } from '../../../../src/reporting/live/apply-hand-edits.ts';
import { applyTyping } from '../../../../src/reporting/live/typing.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';

const dictated = (text: string): LiveReport => ({
  sections: [{ key: 'findings', title: 'Findings', text, runs: [{ start: 0, end: text.length, from: 0 }] }],
  heard: [{ from: 0, to: text.length }],
});
function replaced(live: LiveReport, before: string, after: string): readonly HandEdit[] {
  const start = live.sections[0]!.text.indexOf(before);
  return applyTyping(live, [], 'findings', { start, end: start + before.length, text: after });
}
const findings = (text: string) => [{ key: 'findings', title: 'Findings', text }];
const textsOf = (all: readonly { key: string; text: string }[]) =>
  Object.fromEntries(all.map(({ key, text }) => [key, text]));

test.each([
  ['the same words', 'Lungs are clear. No effusion.', 'Lungs are normal. No effusion.'],
  ['more words', 'Lungs are clear. No effusion. Heart normal.', 'Lungs are normal. No effusion. Heart normal.'],
  ['another word where the hand was', 'Lungs are clean. No effusion.', 'Lungs are normal. No effusion.'],
  ['another word elsewhere', 'Lungs are clear. No infusion.', 'Lungs are normal. No infusion.'],
])('where the service heard %s, the hand wins at its place, and the service everywhere else', (_what, made, wanted) => {
  const live = dictated('Lungs are clear. No effusion.');
  expect(textsOf(applyHandEdits(findings(made), live, replaced(live, 'clear', 'normal')))).toEqual({
    findings: wanted,
  });
});

test('sections of the template, and words that the service moved, stay; typed text is in the document', () => {
  const live = dictated('Lungs are clear.');
  const edits = replaced(live, 'clear.', 'clear. Seen twice.');
  const sections = [
    { key: 'technique', title: 'Technique', text: 'Without contrast.' },
    { key: 'impression', title: 'Impression', text: 'Normal.' },
  ];
  const made = textsOf(applyHandEdits(sections, live, edits));
  expect(made).toMatchObject({ technique: 'Without contrast.' });
  expect(Object.values(made).join(' ')).toContain('Seen twice');
});

test('the document is edited once, and the typed edits are dropped; without typing it stays unchanged', async () => {
  const live = dictated('Lungs are clear.');
  const kept = new Map([['dic_1', replaced(live, 'clear', 'normal')]]);
  const edited: string[] = [];
  const deps = {
    typed: {
      find: ({ subject }: { subject: string }) => {
        const edits = kept.get(subject);
        return edits && ({ kind: 'dictation', subject, by_hand: { ...live, edits } } as never);
      },
      forget: async (subject: string) => void kept.delete(subject),
    },
    records: { edit: async (_record: unknown, sections: { text: string }[]) => void edited.push(sections[0]!.text) },
  };
  const record = { id: 'rec_1', version: 1, sections: findings('Lungs are clear.') } as unknown as MedicalRecord;
  // The app has started anew since then, and knows the words of the dictation from the last key.
  await applyTypedEdits(deps, { id: 'dic_1' }, record, undefined);
  await applyTypedEdits(deps, { id: 'dic_1' }, record, undefined);
  await applyTypedEdits(deps, { id: 'dic_2' }, record, live);
  expect(edited).toEqual(['Lungs are normal.']);
});
