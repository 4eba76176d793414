/** What the rules write in a thread is what they write anywhere. */
import { afterAll, expect, test } from 'vitest';
import { createRulesWriter } from '../../../server/speech/rules/rules-writer.ts';
import { compose, correct } from '../../../server/speech/rules/rules.ts';
import { createWorkers } from '../../../server/runtime/workers/workers.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';
import { explored } from '../../support/explored.ts';
import { longestTurn } from '../../support/longest-turn.ts';

const workers = createWorkers();
afterAll(() => workers.close());
const asked: { name: string; client: string }[] = [];
const counting: typeof workers = {
  ...workers,
  run(task, given, how) {
    asked.push({ name: task.exportName, client: how.client });
    return workers.run(task, given, how);
  },
};
const writer = createRulesWriter(counting);
const [[id, data]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
const template = templateIn('en-US', id, data);
const { signal } = new AbortController();
const composing = (text: string) => ({
  account: 'a',
  heard: { text },
  template,
  language: 'en-US' as const,
  exam: null,
});
const sentence = 'Findings: the left lung is clear, twenty five point three millimetres. ';

test('a document of any length is the same as without threads; only a long one is written in one', async () => {
  const short = composing(`Test Patient. ${sentence}`);
  expect(await writer.compose(short, signal)).toEqual(compose(short));
  expect(asked.splice(0)).toEqual([]);
  const long = composing(`Test Patient. ${sentence.repeat(200)}`);
  const document = await writer.compose(long, signal);
  expect(document).toEqual(compose(long));
  expect(asked.splice(0)).toEqual([{ name: 'composeDocument', client: 'a' }]);
  const instruction = 'In the findings, replace left with right.';
  const correction = {
    account: 'b',
    instruction,
    sections: document.sections,
    last: null,
    language: 'en-US' as const,
  };
  expect(await writer.correct(correction, signal)).toEqual(correct(correction));
  expect(asked.splice(0)).toEqual([{ name: 'correctDocument', client: 'b' }]);
});

test('a very long text hardly holds anybody up', async () => {
  // As long as a text may be, where time is no object.
  const length = explored.isOn ? 999_000 : 300_000;
  const long = composing(`Test Patient. ${sentence.repeat(Math.floor(length / sentence.length))}`);
  const here = await longestTurn(async () => compose(long));
  const there = await longestTurn(() => writer.compose(long, signal));
  expect(there.result).toEqual(here.result);
  expect(there.longest).toBeLessThan(here.longest / 3);
});
