/** Listening to the dictation of a report, with a player whose time is the test's. */
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { Player, PlayerListener } from '../../../desktop/renderer/audio/player.ts';
import { createListening } from '../../../desktop/renderer/state/report/listening.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import type { Origin } from '../../../src/contract/provenance.ts';
import type { SaidWord } from '../../../src/reporting/versions/word-positions.ts';

const section = 'findings';
/** “Nodule of six millimeters”: the document has “Nodule of 6 mm.”, and a word of the template. */
const words: SaidWord[] = [
  { start: 0, end: 6, from: 1, to: 1.5, places: [{ section, start: 0, end: 6 }] },
  { start: 7, end: 9, from: 1.5, to: 2, places: [{ section, start: 7, end: 9 }] },
  { start: 10, end: 13, from: 2, to: 2.5, places: [{ section, start: 10, end: 14 }] },
  { start: 14, end: 25, from: 2.5, to: 3.5, places: [{ section, start: 10, end: 14 }] },
];

function open({ said = words, origin }: { said?: readonly SaidWord[]; origin?: Origin } = {}) {
  const played: { from: number; speed: number | undefined }[] = [];
  let listener: PlayerListener | undefined;
  const player: Player = {
    async play(_address, from, listening, { speed } = {}) {
      played.push({ from, speed });
      listener = listening;
    },
    setSpeed: (speed) => void played.push({ from: NaN, speed }),
    stop: () => listener?.ended('stopped'),
  };
  const isRecording = signal(false);
  const listening = createListening({
    player,
    address: 'records/rec_1/audio',
    length: 5,
    words: signal(said),
    originOf: () => origin,
    isRecording: () => isRecording.value,
  });
  return { ...listening, played, isRecording, listener: () => listener! };
}

const caret = (start: number) => ({ section, start, end: start });
const finding = (more: Partial<Finding>): Finding => ({
  id: 'f_1',
  kind: 'low_confidence',
  severity: 'question',
  section,
  start: 0,
  end: 0,
  transcript: null,
  message: '',
  evidence: [],
  status: 'open',
  by: null,
  at: null,
  ...more,
});

test('plays from a little before a word, and shows the word being spoken', () => {
  const page = open();
  page.hearPlace(caret(12));
  expect(page.played).toEqual([{ from: 1.7, speed: 1 }]);
  const said = [1.7, 2.1, 2.6, 3.6].map((at) => (page.listener().time(at), page.word.value?.start));
  expect(said).toEqual([7, 10, 14, undefined]);
  page.listener().time(2.1);
  page.pause();
  expect(page.word.value).toBeNull();
  page.back();
  expect(page.at.value).toBe(0);
});

test('starts over after the end', () => {
  const page = open();
  page.moveTo(9);
  expect(page.at.value).toBe(5);
  page.toggle();
  expect(page.played.at(-1)?.from).toBe(0);
});

test.each([
  ['template', 'template'],
  ['exam', 'exam'],
  ['macro', 'macro'],
  ['edited', 'edited'],
  ['said', 'untimed'],
  [undefined, 'untimed'],
] as const)('words of the origin %s that have no sound play nothing: %s', (origin, why) => {
  const page = open({ said: [], ...(origin && { origin }) });
  page.hearPlace(caret(3));
  expect([page.played, page.isPlaying.value, page.silence.value]).toEqual([[], false, why]);
});

test('playback never highlights a word without audio, and a reason passes to the next word', () => {
  const page = open({ origin: 'edited' });
  page.hearPlace(caret(0));
  page.hearPlace(caret(40));
  expect([page.isPlaying.value, page.silence.value]).toEqual([false, 'edited']);
  page.hearPlace(caret(0));
  expect([page.isPlaying.value, page.silence.value]).toEqual([true, null]);
});

test('plays nothing while the microphone is live; says so where the sound cannot be had', () => {
  const page = open();
  page.isRecording.value = true;
  page.toggle();
  page.hearTranscript({ start: 11, end: 11 });
  expect([page.played, page.silence.value]).toEqual([[], 'recording']);
  page.isRecording.value = false;
  page.hearTranscript({ start: 11, end: 11 });
  page.listener().ended('failed');
  expect([page.isPlaying.value, page.silence.value]).toEqual([false, 'away']);
});

test('the second of a finding: of its words, of the spoken words, of text between two words', () => {
  const { secondOf } = open();
  expect(secondOf(finding({ start: 11, end: 14 }))).toBe(2);
  expect(secondOf(finding({ start: 20, end: 24, transcript: { start: 14, end: 25 } }))).toBe(2.5);
  expect(secondOf(finding({ transcript: { start: 9, end: 9 } }))).toBe(2);
  expect(secondOf(finding({ start: 20, end: 24 }))).toBeUndefined();
});
