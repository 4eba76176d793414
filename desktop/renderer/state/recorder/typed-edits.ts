/**
 * Typed edits to the words of dictations, from speech until the report exists: shown at once, stored by the app with
 * each key, and undone where they were typed.
 */
import { signal } from '@preact/signals';
import type { Section } from '../../../../src/contract/document.ts';
import { textOf, withHand } from '../../../../src/reporting/live/hand-edits.ts';
import type { HandEdit } from '../../../../src/reporting/live/hand-edits.ts';
import { moveToTargets } from '../../../../src/reporting/live/speech-targets.ts';
import type { SpeechTarget } from '../../../../src/reporting/live/speech-targets.ts';
import { applyTyping } from '../../../../src/reporting/live/typing.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { bridge } from '../bridge.ts';
import { readTyped } from '../report/shelved-words.ts';
import { createKeeper } from '../report/typed.ts';
import type { Keeper } from '../report/typed.ts';
import { openTypedEdits } from './open-typed-edits.ts';
import type { TypedEdits } from './open-typed-edits.ts';

type Edits = readonly HandEdit[];

/** Undo and redo steps of a section. */
interface History {
  readonly past: Edits[];
  readonly future: Edits[];
  /** Where the next letter would extend the last step. */
  goesOnAt: number | undefined;
}

export const getTypedEdits = (dictation: string): TypedEdits =>
  openTypedEdits(dictation, () => createTypedEdits(dictation));

function createTypedEdits(dictation: string): TypedEdits {
  const app = bridge();
  const edits = signal<Edits | null>(null);
  const wishes = signal<readonly SpeechTarget[]>([]);
  const histories = new Map<string, History>();
  const keeper: Keeper = createKeeper(app, { kind: 'dictation', subject: dictation });
  const openHistory = (key: string): History => {
    const known = histories.get(key) ?? { past: [], future: [], goesOnAt: undefined };
    histories.set(key, known);
    return known;
  };
  const ofSection = (key: string): Edits => (edits.peek() ?? []).filter(({ section }) => section === key);
  const keep = ({ sections, heard }: LiveWords): void => {
    const present = edits.peek() ?? [];
    const into = wishes.peek().map((wish) => ({ ...wish }));
    const isEmpty = present.length === 0 && into.length === 0;
    keeper.keep(isEmpty ? null : { by_hand: { sections, heard, edits: present.map(plain), into } });
  };
  const show = (words: LiveWords, next: Edits): void => {
    edits.value = next;
    keep(words);
  };
  const move = (words: LiveWords, key: string, [from, to]: readonly [Edits[], Edits[]]): boolean => {
    const [step, present] = [from.pop(), edits.peek()];
    if (!step || present === null) return false;
    to.push(ofSection(key));
    openHistory(key).goesOnAt = undefined;
    show(words, [...present.filter(({ section }) => section !== key), ...step]);
    return true;
  };
  const recall = async (): Promise<void> => {
    const items = await readTyped(app);
    const stored = items.find(({ kind, subject }) => kind === 'dictation' && subject === dictation);
    if (wishes.peek().length === 0) wishes.value = stored?.by_hand?.into ?? [];
    edits.value ??= stored?.by_hand?.edits ?? [];
  };
  const tryRecall = (): void => void recall().catch(() => undefined);
  const stopGaps = app.onGap(() => edits.peek() === null && tryRecall());
  tryRecall();
  const placedIn = (words: LiveWords): LiveReport => moveToTargets(words, wishes.peek());
  return {
    edits,
    wishes,
    speakInto(words, wish) {
      wishes.value = [...wishes.peek().filter(({ from }) => from < wish.from), wish];
      keep(words);
    },
    type(words, key, splice) {
      const present = edits.peek();
      if (present === null) return;
      const history = openHistory(key);
      const goesOn = splice.start === splice.end && history.goesOnAt === splice.start && !/\s/.test(splice.text);
      if (!goesOn) history.past.push(ofSection(key));
      history.future.length = 0;
      history.goesOnAt = splice.text === '' ? undefined : splice.start + splice.text.length;
      show(words, applyTyping(placedIn(words), present, key, splice));
    },
    adopt(words, sections) {
      const begun = sections.filter(({ text }) => text.trim() !== '');
      const add = (before: Edits, { key, text }: Section): Edits => {
        const shown = withHand(placedIn(words), before).find((section) => section.key === key);
        const isThere = shown !== undefined && textOf(shown).startsWith(text);
        return isThere ? before : applyTyping(placedIn(words), before, key, { start: 0, end: 0, text });
      };
      const present = edits.peek();
      if (present !== null) show(words, begun.reduce(add, present));
    },
    undo: (words, key) => move(words, key, [openHistory(key).past, openHistory(key).future]),
    redo: (words, key) => move(words, key, [openHistory(key).future, openHistory(key).past]),
    keep(words) {
      if ((edits.peek() ?? []).length > 0 || wishes.peek().length > 0) keep(words);
    },
    close() {
      stopGaps();
      keeper.close();
    },
  };
}

const plain = ({ over, ...edit }: HandEdit) => ({ ...edit, over: over.map(({ from, to }) => ({ from, to })) });
