/** How an answer, an event or a key changes what the page shows of a report. */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import {
  emptyState,
  editWords,
  mergeVersion,
  withReport,
  settleSave,
  showVersion,
  wordsOf,
} from '../../../desktop/renderer/state/report/document-state.ts';
import { base } from './report-service.ts';

const shown = showVersion(emptyState, base);
const typed = editWords(shown, { title: 'Typed' });
const next = { ...base, version: 2, title: 'Saved' };

describe('a report that is opened', () => {
  test('is saved, or waits to be sent', () => {
    expect(withReport(emptyState, base, undefined, false)).toMatchObject({
      phase: 'ready',
      saving: 'saved',
      all: [base],
    });
    expect(withReport(emptyState, base, undefined, true).saving).toBe('queued');
  });

  test('restores the words that an earlier page left: as a change, or next to another person’s version', () => {
    const words = { title: 'Left over', sections: base.sections };
    const untouched = withReport(emptyState, base, { words, base }, false);
    expect(untouched).toMatchObject({ title: 'Left over', record: base, theirs: null, saving: 'changed' });
    const met = withReport(emptyState, next, { words, base }, false);
    expect(met).toMatchObject({ title: 'Left over', record: base, theirs: next, saving: 'conflict' });
    expect(withReport(emptyState, next, { words: wordsOf(next), base }, false)).toMatchObject({
      record: next,
      theirs: null,
      saving: 'saved',
    });
  });
});

describe('a key', () => {
  test('makes a change; typing back the former text ends the change', () => {
    expect(typed).toMatchObject({ saving: 'changed', title: 'Typed' });
    expect(editWords(typed, { title: base.title }).saving).toBe('saved');
  });

  test('never ends a conflict', () => {
    const met = mergeVersion(typed, next);
    expect(editWords(met, { title: base.title })).toMatchObject({ saving: 'conflict', theirs: next });
  });
});

describe('the answer to a save', () => {
  test('shows the new version, saved or waiting; a conflict shows both', () => {
    const sent = wordsOf(typed);
    expect(settleSave(typed, { outcome: 'saved', record: next }, sent)).toMatchObject({
      record: next,
      saving: 'saved',
    });
    expect(settleSave(typed, { outcome: 'queued', record: next }, sent).saving).toBe('queued');
    expect(settleSave(typed, { outcome: 'conflict', record: base, theirs: next }, sent)).toMatchObject({
      title: 'Typed',
      record: base,
      theirs: next,
      saving: 'conflict',
    });
  });

  test('never covers words that were typed since it was asked for', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.constantFrom('saved', 'queued', 'conflict'),
        (sent, now, outcome) => {
          const asked = editWords(shown, { title: sent });
          const typedOn = editWords(asked, { title: now });
          const record = { ...next, title: sent };
          const settled = settleSave(typedOn, { outcome, record, theirs: next }, wordsOf(asked));
          expect(settled.title).toBe(now);
          expect(settled.saving).toBe(outcome === 'conflict' || now === sent ? outcome : 'changed');
        },
      ),
    );
  });
});

test('the newest of several reports comes first, whichever was shown last', () => {
  const later = { ...base, id: 'rec_2', created_at: '2100-01-01T00:00:00Z' };
  expect(showVersion(showVersion(emptyState, later), base).all).toEqual([later, base]);
});
