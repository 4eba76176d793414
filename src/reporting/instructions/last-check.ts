/**
 * The last check of an instruction's outcome: every added sign, decimal mark, question mark, unit and denial was said,
 * every spoken one is there, and no unit occurs twice. Otherwise nothing changes, and the answer is a question.
 */
import type { Section } from '../../contract/document.ts';
import type { SectionChange } from '../../contract/record.ts';
import type { Language } from '../../contract/shared.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { readCues } from '../cues.ts';
import type { Cue, CueText } from '../cues.ts';
import type { InstructionOperation } from './operations.ts';
import { elementAt } from '../../domain/elements.ts';

/** Operations that name the words that they remove. */
const naming: ReadonlySet<string> = new Set<InstructionOperation['kind']>([
  'replace',
  'insert_before',
  'insert_after',
  'append',
  'prepend',
]);

/** The words whose meaning in the report would differ from the instruction; `undefined`: there are none. */
export function findChangedCue(
  instruction: string,
  operations: readonly InstructionOperation[],
  changes: readonly SectionChange[],
  language: Language,
  sections: readonly Section[] = [],
): string | undefined {
  if (operations.some(({ kind }) => kind === 'undo')) return undefined;
  const read = (text: string): CueText => readCues(normalForm(text), language);
  const [old, now] = [changes.map(({ before }) => before ?? ''), changes.map(({ after }) => after ?? '')];
  const [was, is] = [old, now].map((texts) => texts.flatMap((text) => read(text).cues)) as [Cue[], Cue[]];
  const said = read(instruction);
  const isCopy = operations.some(({ kind }) => kind === 'copy_passage');
  const copied = isCopy ? sections.flatMap(({ text }) => read(text).cues) : [];
  const named = [...said.cues, ...copied, ...operations.flatMap((operation) => read(wordsOf(operation)).cues)];
  const gained = surplus(is, was).find((cue) => !named.some((each) => isSame(each, cue)));
  const lost = operations.every(({ kind }) => naming.has(kind))
    ? // A unit that nobody named is replaced with its number if the new one has another.
      surplus(was, is).find((cue) => cue.kind !== 'unit' && !named.some((each) => isSame(each, cue)))
    : undefined;
  const unwritten = said.cues.find(
    (cue) => mustBeWritten(cue, said) && ![...is, ...was].some((each) => isSame(cue, each)),
  );
  if (gained || lost || unwritten)
    return unwritten ? wordsAt(said, unwritten, instruction) : namedWords(elementAt(operations, 0));
  const isDoubled =
    count(now, (text) => doubledUnits(text, language)) > count(old, (text) => doubledUnits(text, language));
  return isDoubled ? namedWords(elementAt(operations, 0)) : undefined;
}

/** The words that an operation names, and those that it adds: a macro's were not said. */
const wordsOf = (operation: InstructionOperation): string =>
  [
    'what' in operation && operation.what ? `${operation.what.said} ${operation.what.words.join(' ')}` : '',
    operation.kind === 'replace' ? operation.by : '',
    'macro' in operation ? operation.text : '',
  ]
    .filter((words) => words !== '')
    .join(' ');

/** The words of an operation, for a question about it. */
const namedWords = (operation: InstructionOperation): string => {
  if (operation.kind === 'replace') return operation.by;
  if ('text' in operation) return operation.text;
  return 'what' in operation && operation.what ? operation.what.said : '';
};

/** The sure cues that `all` has more often than `others`. */
function surplus(all: readonly Cue[], others: readonly Cue[]): Cue[] {
  const countCues = (cues: readonly Cue[], wanted: Cue): number => cues.filter((cue) => isSame(cue, wanted)).length;
  return all.filter((cue) => cue.isSure && countCues(all, cue) > countCues(others, cue));
}

const isSame = (one: Cue, other: Cue): boolean =>
  one.kind === 'decimal' || one.kind === 'comma'
    ? other.kind === 'decimal' || other.kind === 'comma'
    : one.kind === other.kind && one.value === other.value;

/** A "no" may be said to another person, and so may a question. */
function mustBeWritten({ kind, isSure, to }: Cue, { lexemes }: CueText): boolean {
  if (!isSure || kind === 'denial' || kind === 'comma') return false;
  if (kind !== 'question' || elementAt(lexemes, to - 1).kind === 'word') return true;
  return lexemes[to] !== undefined && !lexemes[to].isSpaced;
}

const wordsAt = ({ lexemes }: CueText, { first, last }: Cue, text: string): string =>
  normalForm(text).slice(elementAt(lexemes, first).start, elementAt(lexemes, last).end);

const count = (texts: readonly string[], of: (text: string) => number): number =>
  texts.reduce((sum, text) => sum + of(text), 0);

/** How often a unit is followed by itself: "10 HU H.U.", "10 HU (HU)". */
function doubledUnits(text: string, language: Language): number {
  const { cues, lexemes } = readCues(normalForm(text), language);
  return cues.filter(({ kind, value, to }) => {
    if (kind !== 'unit') return false;
    const rest = normalForm(text).slice(elementAt(lexemes, to - 1).end, elementAt(lexemes, to - 1).end + 24);
    const next = /^\P{L}*?(\p{L}(?:\.?\p{L})*)/u.exec(rest.replace(/^[\s.,;()[\]]*/, ''))?.[1]?.replaceAll('.', '');
    return next !== undefined && /^s?$/i.test(afterPrefix(next, value));
  }).length;
}

/** The rest after the prefix, whatever its case; the whole word if it begins otherwise. */
const afterPrefix = (word: string, prefix: string): string =>
  word.toLowerCase().startsWith(prefix.toLowerCase()) ? word.slice(prefix.length) : word;
