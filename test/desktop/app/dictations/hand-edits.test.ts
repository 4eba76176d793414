/** What somebody changes by hand in the words of a dictation, while the words go on coming. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { heardIn, liveReport } from '../../../../desktop/app/dictations/live/live-report.ts';
import { mapToPieces } from '../../../../desktop/app/dictations/live/stretches.ts';
import type { Phrase } from '../../../../src/contract/transcription.ts';
import { slice } from '../../../../src/domain/dictation/timeline.ts';
import type { Segment } from '../../../../src/domain/dictation/timeline.ts';
import { textOf, withHand } from '../../../../src/reporting/live/hand-edits.ts';
import type { HandEdit } from '../../../../src/reporting/live/hand-edits.ts';
import { partialIn, applyTyping } from '../../../../src/reporting/live/typing.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';

/** Samples in a second; each word lasts one. */
const rate = 10;
const sections = [
  { key: 'findings', title: 'Achados' },
  { key: 'impression', title: 'Impressão' },
];

/** A dictation in one section, whose sound can be edited. */
class Speaker {
  /** Takes in the order in which they were recorded, each with its phrases. */
  takes: { from: number; to: number; phrases: Phrase[]; partial: string }[] = [];
  segments: Segment[] = [];
  end = 0;
  hasSpokenOver = false;

  begin(): void {
    this.takes.push({ from: this.end, to: this.end, phrases: [], partial: '' });
  }
  say(words: string): void {
    if (this.takes.length === 0) this.begin();
    const take = this.takes.at(-1)!;
    const spoken = words.split(' ');
    const start = (take.to - take.from) / rate;
    const timed = spoken.map((text, at) => ({ text, start: start + at, end: start + at + 1 }));
    take.phrases.push({ n: take.phrases.length + 1, text: words, start, end: start + spoken.length, words: timed });
    take.partial = '';
    this.segments.push({ from: take.to, length: spoken.length * rate });
    take.to += spoken.length * rate;
    this.end = take.to;
  }
  get samples(): number {
    return this.segments.reduce((sum, { length }) => sum + length, 0);
  }
  /** The end of a word of the present sound, in samples. */
  place(at: number): number {
    return Math.round(at % (this.samples / rate + 1)) * rate;
  }
  /** At this place of the sound, as a take that is inserted there; Infinity: at the end. */
  sayAt(place: number, words: string): void {
    const before = this.segments;
    const end = this.samples;
    this.say(words);
    if (place >= end) return;
    const [said] = this.segments.slice(-1);
    this.segments = [...slice(before, 0, place), said!, ...slice(before, place, end)];
  }
  /** Takes the two words after the place away, as a take does that is spoken over them. */
  speakOver(place: number): void {
    this.segments = [...slice(this.segments, 0, place), ...slice(this.segments, place + 2 * rate, this.samples)];
    this.hasSpokenOver = true;
  }
  report(partial = ''): LiveReport {
    const stretches = this.takes.map((take, number) => ({ ...take, id: `trn_${number}`, number, partial: '' }));
    const last = stretches.at(-1);
    if (last) last.partial = partial;
    return liveReport({
      ...heardIn(mapToPieces(this.segments, stretches), rate),
      language: 'pt-BR',
      template: { sections } as never,
      macros: [],
      terms: [],
    });
  }
}

const shown = (live: LiveReport, edits: readonly HandEdit[], key = 'findings'): string => {
  const section = withHand(live, edits).find((each) => each.key === key);
  return section ? textOf(section) : '';
};
/** Replaces words of the text as somebody would who selects them. */
function replace(
  live: LiveReport,
  edits: readonly HandEdit[],
  [before, after]: readonly [string, string],
  key = 'findings',
) {
  const start = shown(live, edits, key).indexOf(before);
  expect(start).toBeGreaterThanOrEqual(0);
  return applyTyping(live, edits, key, { start, end: start + before.length, text: after });
}
const speaker = (...phrases: string[]): Speaker => {
  const made = new Speaker();
  phrases.forEach((phrase) => made.say(phrase));
  return made;
};

test('words that come after an edit follow it as the dictation continues', () => {
  const said = speaker('achados pulmões limpos');
  const edits = replace(said.report(), [], ['limpos', 'claros']);
  expect(shown(said.report(), edits)).toBe('Pulmões claros.');
  expect(shown(said.report('sem'), edits)).toBe('Pulmões claros sem.');
  said.say('sem derrame ponto');
  expect(shown(said.report(), edits)).toBe('Pulmões claros sem derrame.');
  said.say('nova linha coração normal');
  expect(shown(said.report(), edits)).toBe('Pulmões claros sem derrame.\nCoração normal.');
});

test('text typed at the end stays before the words spoken next, which start a sentence after a full stop', () => {
  const said = speaker('achados pulmões limpos ponto');
  const text = 'Pulmões limpos.';
  const edits = applyTyping(said.report(), [], 'findings', {
    start: text.length,
    end: text.length,
    text: ' Nada mais.',
  });
  expect(shown(said.report(), edits)).toBe('Pulmões limpos. Nada mais.');
  said.say('sem derrame');
  expect(shown(said.report(), edits)).toBe('Pulmões limpos. Nada mais. Sem derrame.');
});

test('typed words win over later ones for the same place, which lose none of the others', () => {
  const said = speaker('achados nódulo de seis');
  const edits = replace(said.report(), [], ['seis', 'sete']);
  said.say('milímetros no lobo superior');
  expect(shown(said.report(), [])).toContain('6 mm');
  expect(shown(said.report(), edits)).toBe('Nódulo de sete mm no lobo superior.');
});

test('"apagar isso" removes spoken words and never typed ones', () => {
  const said = speaker('achados pulmões limpos ponto', 'sem derrame pleural');
  let edits = replace(said.report(), [], ['pleural', 'pericárdico']);
  edits = replace(said.report(), edits, ['Pulmões limpos.', 'Pulmões limpos, claros.']);
  said.say('apagar isso');
  expect(shown(said.report(), [])).toBe('Pulmões limpos.');
  expect(shown(said.report(), edits)).toBe('Pulmões limpos, claros. pericárdico');
  const untouched = speaker('achados pulmões limpos ponto', 'sem derrame ponto');
  const before = replace(untouched.report(), [], ['limpos', 'claros']);
  untouched.say('apagar isso');
  expect(shown(untouched.report(), before)).toBe('Pulmões claros.');
});

test.each([
  ['nova linha coração normal', 'Pulmões claros.\nCoração normal.', ''],
  ['próximo campo exame normal', 'Pulmões claros.', 'Exame normal.'],
  ['impressão dois pontos exame normal', 'Pulmões claros.', 'Exame normal.'],
  ['achados sem derrame', 'Pulmões claros. Sem derrame.', ''],
])('after an edit "%s" works as usual', (command, findings, impression) => {
  const said = speaker('achados pulmões limpos ponto');
  const edits = replace(said.report(), [], ['limpos', 'claros']);
  said.say(command);
  expect(shown(said.report(), edits)).toBe(findings);
  expect(shown(said.report(), edits, 'impression')).toBe(impression);
});

test('sound that is spoken over takes its words along, edited or not; undoing that brings both back', () => {
  const said = speaker('achados um dois três quatro cinco seis');
  let edits = replace(said.report(), [], ['três', 'TRÊS']);
  edits = replace(said.report(), edits, ['cinco', 'CINCO']);
  edits = replace(said.report(), edits, ['seis', 'seis (visto)']);
  expect(shown(said.report(), edits)).toContain('TRÊS');
  const before = said.segments;
  said.begin();
  said.say('sete oito');
  said.segments = [
    { from: 0, length: 20 },
    { from: 70, length: 20 },
    { from: 50, length: 20 },
  ];
  const over = shown(said.report(), edits);
  expect(over).not.toContain('TRÊS');
  expect(over).toMatch(/CINCO.* \(visto\)/);
  said.segments = before;
  expect(shown(said.report(), edits)).toMatch(/TRÊS.*CINCO.*visto/);
});

test('audio inserted into an edited text appears where it was spoken', () => {
  const said = speaker('achados um dois três quatro');
  const edits = replace(said.report(), [], ['quatro', 'QUATRO']);
  said.begin();
  said.say('cinza');
  said.segments = [
    { from: 0, length: 30 },
    { from: 50, length: 10 },
    { from: 30, length: 20 },
  ];
  expect(shown(said.report(), edits).toLowerCase()).toMatch(/cinza.*quatro/);
});

/** Words that no rule of the language knows, each of them once. */
const nth = (n: number): string => `zu${[...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}q`;
const wordsIn = (text: string): string[] => text.match(/zu[a-j]+q|T\d+T/giu)?.map((found) => found.toLowerCase()) ?? [];

const commands = [
  'ponto',
  'apagar isso',
  'nova linha',
  'próximo campo',
  'impressão dois pontos',
  'achados dois pontos',
];
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      count: fc.integer({ min: 1, max: 5 }),
      isMarked: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('command' as const), command: fc.constantFrom(...commands) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      from: fc.nat(30),
      count: fc.oneof(fc.constant(0), fc.nat(3)),
      isTyped: fc.boolean(),
      section: fc.nat(1),
      partial: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('overwrite' as const), at: fc.nat(1000) }) },
);

test('whatever is spoken, typed and recorded in any order: typed words stay in place, and spoken ones are neither lost nor doubled', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25 }), (all) => {
      const said = speaker('achados dois pontos');
      let edits: readonly HandEdit[] = [];
      let count = 0;
      /** Words that somebody removed by hand. */
      const removed = new Set<string>();
      /** Typed words in the order in which they stand, by section. */
      const hand = new Map<string, string[]>();
      let place = Infinity;
      for (const each of all) {
        if (each.kind === 'command') said.sayAt(place, each.command);
        if (each.kind === 'say') {
          const words = Array.from({ length: each.count }, () => nth(count++));
          said.sayAt(place, [...words, ...(each.isMarked ? ['ponto'] : [])].join(' '));
        }
        if (each.kind === 'insert' || each.kind === 'overwrite') {
          place = said.place(each.at);
          said.begin();
          if (each.kind === 'overwrite') said.speakOver(place);
        }
        if (each.kind === 'type') {
          const live = said.report(each.partial ? nth(count++) : '');
          const sectionsNow = withHand(live, edits);
          const section = sectionsNow[each.section % Math.max(1, sectionsNow.length)];
          if (!section) continue;
          const text = textOf(section);
          const open = partialIn(section)?.start ?? text.length;
          const found = [...text.slice(0, open).matchAll(/zu[a-j]+q|T\d+T/giu)];
          const first = found.slice(each.from % (found.length + 1));
          const gone = first.slice(0, each.count);
          const start = gone[0]?.index ?? first[0]?.index ?? open;
          const end = gone.length > 0 ? gone.at(-1)!.index + gone.at(-1)![0].length : start;
          const typedWord = each.isTyped ? `T${count++}T` : '';
          edits = applyTyping(live, edits, section.key, { start, end, text: typedWord === '' ? '' : ` ${typedWord} ` });
          for (const [word] of gone) removed.add(word.toLowerCase());
          hand.clear();
          for (const now of withHand(live, edits))
            hand.set(
              now.key,
              wordsIn(textOf(now)).filter((found) => found.startsWith('t')),
            );
        }
        const live = said.report();
        const dictated = withHand(live, []).flatMap((section) => wordsIn(textOf(section)));
        const seen = withHand(live, edits).flatMap((section) => wordsIn(textOf(section)));
        const spoken = seen.filter((word) => word.startsWith('zu'));
        expect(spoken).toEqual(dictated.filter((word) => !removed.has(word)));
        const byHand = seen.filter((word) => word.startsWith('t'));
        expect(new Set(byHand).size).toBe(byHand.length);
        const kept = [...hand.values()].flat();
        // What stands for words that were spoken over goes with them.
        const mayBeGone = (word: string): boolean =>
          said.hasSpokenOver && edits.some((edit) => edit.over.length > 0 && edit.text.toLowerCase().includes(word));
        for (const word of kept) if (!mayBeGone(word)) expect(byHand).toContain(word);
        // Within a section: words by hand go with the words beside them where those move to another one.
        for (const section of withHand(live, edits)) {
          const here = wordsIn(textOf(section));
          for (const order of hand.values()) {
            const both = here.filter((found) => order.includes(found));
            expect(both).toEqual(order.filter((found) => both.includes(found)));
          }
        }
      }
    }),
    { numRuns: 150 },
  );
});

const word = fc.constantFrom(
  'pulmões',
  'limpos',
  'ponto',
  'vírgula',
  'nova',
  'linha',
  'derrame',
  'seis',
  'milímetros',
  'apagar',
  'isso',
  'achados',
  'impressão',
  'sem',
);
const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const splice = fc.record({
  at: fc.nat(1000),
  length: fc.oneof(fc.constant(0), fc.nat(12)),
  text: fc.constantFrom('', 'x', ' y', 'z ', '.', ' uma frase. ', '\n', 'a b', ' '),
  section: fc.nat(1),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('say' as const), phrase }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('type' as const), splice }) },
);

test('whatever was spoken and typed before, the text reads exactly as it was typed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), fc.option(phrase, { nil: '' }), (steps, partial) => {
      const said = speaker('achados pulmões');
      let edits: readonly HandEdit[] = [];
      for (const each of steps) {
        if (each.kind === 'say') {
          said.say(each.phrase);
          continue;
        }
        const live = said.report();
        const all = withHand(live, edits);
        const section = all[each.splice.section % Math.max(1, all.length)];
        if (!section) continue;
        const text = textOf(section);
        const start = each.splice.at % (text.length + 1);
        const end = Math.min(text.length, start + each.splice.length);
        edits = applyTyping(live, edits, section.key, { start, end, text: each.splice.text });
        const wanted = text.slice(0, start) + each.splice.text + text.slice(end);
        expect(shown(live, edits, section.key)).toBe(wanted);
        for (const other of all) if (other !== section) expect(shown(live, edits, other.key)).toBe(textOf(other));
      }
      void partial;
    }),
    { numRuns: 80 },
  );
});
