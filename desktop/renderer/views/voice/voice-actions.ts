/** The effect of each spoken command: an action of a key, or a change of the caret or the selection in the report. */
import type { SpokenCommand } from '../../../../src/domain/voice-commands.ts';
import { findSpokenRange } from '../../../../src/domain/voice-commands.ts';
import type { Action } from '../../../bridge/keys.ts';
import { t } from '../../i18n/index.ts';
import { perform } from '../../state/keys.ts';
import { notify } from '../../state/notices.ts';
import { liveRecorder, makeReport, openRecorder } from '../../state/recorder/recorders.ts';
import { moveCaret } from '../../state/report/caret.ts';
import { wantedSignature } from '../../state/report/wanted-signature.ts';
import { closeSheet, go, openItem, openItemId, openSheet } from '../../state/route.ts';
import { priorColumn } from '../priors/prior-column.ts';
import { replaceText } from '../report/fill-fields.ts';
import {
  findCurrentField,
  findSpokenField,
  goToField,
  sectionChosen,
  showIn,
  speechReturned,
} from '../report/keyboard-navigation.ts';

export type Undo = () => unknown;

/** Acts, and returns how to take that back; `undefined`: nothing is left to take back. */
export type VoiceAction = () => Undo | undefined | Promise<Undo | undefined>;

interface Command extends SpokenCommand {
  /** As it was heard. */
  readonly said: string;
}

const findReport = (): HTMLElement | null => document.querySelector('.report-pane');

function readSelection(report: HTMLElement | null) {
  const field = document.activeElement;
  if (!report || !(field instanceof HTMLTextAreaElement) || !report.contains(field)) return undefined;
  return { field, start: field.selectionStart, end: field.selectionEnd };
}

/** Returns to the field and the caret of this moment, and has the next words spoken where they were spoken until now. */
function rememberPlace(report: HTMLElement): Undo {
  const before = readSelection(report);
  const spoken = findSpokenField(report);
  const field = before?.field ?? findCurrentField(report);
  return () => {
    // Words may have come since, also where nobody put a caret.
    if (field?.isConnected) showIn(field, before?.start ?? field.value.length, before?.end ?? field.value.length);
    if (spoken?.isConnected) spoken.dispatchEvent(new Event(speechReturned, { bubbles: true }));
    else field?.dispatchEvent(new Event(sectionChosen, { bubbles: true }));
  };
}

function goTo(isBack: boolean): VoiceAction | undefined {
  const report = findReport();
  if (!report || !findCurrentField(report)) return undefined;
  return () => {
    const back = rememberPlace(report);
    if (goToField(report, isBack)) return back;
    notify({ tone: 'info', text: t('voice.no_field') });
    return undefined;
  };
}

/** In the field where the person works, or in any other. */
function findWords(report: HTMLElement, { words, said }: Command) {
  const here = findCurrentField(report);
  const fields = report.querySelectorAll<HTMLTextAreaElement>('.document-section textarea');
  for (const field of new Set([...(here ? [here] : []), ...fields])) {
    const range = findSpokenRange(field.value, words, said);
    if (range) return { field, range };
  }
  return undefined;
}

function select(command: Command): VoiceAction | undefined {
  const report = findReport();
  if (!report || !findWords(report, command)) {
    notify({ tone: 'info', text: t('voice.not_found'), hint: t('voice.stays') });
    return undefined;
  }
  return () => {
    // A command about the selection comes next, or words that replace it (use-spoken-selection.ts).
    const back = rememberPlace(report);
    const found = findWords(report, command);
    if (found) showIn(found.field, found.range.start, found.range.end);
    return back;
  };
}

/** Without a selection the writer deletes the last sentence. */
function deleteSelection(): VoiceAction | undefined {
  const selected = readSelection(findReport());
  if (!selected || selected.start === selected.end || selected.field.readOnly) return undefined;
  const { field, start, end } = selected;
  return () => {
    const text = field.value.slice(start, end);
    replaceText(field, start, end, '');
    const left = field.value;
    return () => {
      const at = moveCaret(left, field.value, start);
      replaceText(field, at, at, text);
    };
  };
}

/** The action of a key. */
const press =
  (action: Action, undo?: Undo): VoiceAction =>
  () =>
    perform(action) ? undo : undefined;

/** The dictation pauses: words about the next patient must not reach the report of this one. */
const goToExam =
  (action: 'next_exam' | 'previous_exam'): VoiceAction =>
  async () => {
    const left = openItemId.peek();
    await liveRecorder.peek()?.pause();
    return perform(action) ? () => left !== null && openItem(left) : undefined;
  };

const isPriorShown = (): boolean => priorColumn.peek() !== null;

/** Signs the report that the dictation becomes, as soon as it is there, or the one that is there if nothing was said. */
async function sign(): Promise<Undo | undefined> {
  const live = liveRecorder.peek();
  const itemId = live?.itemId ?? openItemId.peek();
  if (itemId === null) return undefined;
  const recorder = openRecorder(itemId);
  // The report must be on the screen before it is signed.
  go({ pane: 'document' });
  await recorder.pause();
  const { dictation } = recorder.state.peek();
  if (dictation === null || !['recording', 'paused'].includes(dictation.state)) return void perform('sign');
  if (dictation.seconds === 0) {
    await recorder.discard();
    return void perform('sign');
  }
  wantedSignature.value = { itemId, dictation: dictation.id };
  await makeReport(itemId);
  return () => (wantedSignature.peek() ? (wantedSignature.value = null) : perform('take_back'));
}

const pause = async (): Promise<Undo> => {
  const live = liveRecorder.peek();
  await live?.pause();
  return () => live?.record();
};

/** How to do what the command says; `undefined`: it can do nothing now, and its words stay. */
export function chooseAction(heard: Command): VoiceAction | undefined {
  const { command } = heard;
  switch (command) {
    case 'next_field':
      return goTo(false);
    case 'previous_field':
      return goTo(true);
    case 'select':
      return select(heard);
    case 'delete':
      return deleteSelection();
    case 'priors':
      return isPriorShown() ? undefined : press('priors', () => isPriorShown() && perform('priors'));
    case 'hide_priors':
      return isPriorShown() ? press('priors', () => !isPriorShown() && perform('priors')) : undefined;
    case 'next_prior':
      return isPriorShown() ? press('next_prior', () => perform('previous_prior')) : undefined;
    case 'next_exam':
    case 'previous_exam':
      return goToExam(command);
    case 'pause':
      return pause;
    case 'generate':
      return press('generate');
    case 'sign':
      return sign;
    case 'voice_help':
      return () => {
        openSheet('voice');
        return closeSheet;
      };
    case 'undo':
      // Its meaning is in what was said before.
      return undefined;
  }
}
