/** Follows the commands that are spoken in a dictation of this page, shows each as it acts, and takes it back. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { HeardCommand } from '../../../bridge/live.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { createOrder } from '../../../../src/domain/in-order.ts';
import type { Place } from '../../../../src/reporting/live/words.ts';
import { matchCommand } from '../../../../src/domain/voice-commands.ts';
import type { VoiceCommand } from '../../../../src/domain/voice-command-names.ts';
import { t } from '../../i18n/index.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { dismiss, notify, notifyError } from '../../state/notices.ts';
import { findDictation, putDictation } from '../../state/recorder/dictations.ts';
import { liveWordsOf } from '../../state/recorder/live-words.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import { wantedSignature } from '../../state/report/wanted-signature.ts';
import { dictationOfPair, hasReportHere, tellRecording } from '../../state/report-window.ts';
import { isReportWindow, openItemId } from '../../state/route.ts';
import { settings } from '../../state/settings.ts';
import { isCovered } from '../app/keyboard.ts';
import { chooseAction } from './voice-actions.ts';
import type { Undo } from './voice-actions.ts';

/** The notice of the last command: one at a time. */
let shown: number | undefined;

function show(command: VoiceCommand, said: string, undo: Undo | undefined): void {
  if (shown !== undefined) dismiss(shown);
  shown = notify({
    tone: 'done',
    text: t(`voice.${command}`),
    hint: t('voice.heard', { said }),
    ...(undo && { action: { label: t('document.undo'), run: () => void undo(), about: null } }),
  });
}

const report = (thrown: unknown): unknown => notifyError(asBridgeError(thrown));

/** Resolves once the page shows the words that have arrived. */
const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** For how long the words of a command may still be shown after they are left out, in ms. */
const patienceMs = 1000;

/** Resolves when the page shows the report without the phrase, so that what is done next is about the other words. */
async function leaveOut({ id, phrase }: Pick<HeardCommand, 'id' | 'phrase'>): Promise<void> {
  putDictation(await bridge().call('live.leave_out', { id, phrase }));
  const gone = Promise.withResolvers<void>();
  const end = effect(() => {
    const isShown = liveWordsOf(id)?.heard.some(({ from, to }) => from <= phrase && phrase < to);
    if (isShown !== true) gone.resolve();
  });
  const timer = setTimeout(gone.resolve, patienceMs);
  await gone.promise;
  clearTimeout(timer);
  end();
  await drawn();
}

/** Commands about the words of the report act in the window that has it, the others where the recorder is. */
const ofReport: ReadonlySet<VoiceCommand> = new Set(['next_field', 'previous_field', 'select', 'delete']);
const isForHere = (command: VoiceCommand): boolean =>
  command === 'undo' || (ofReport.has(command) ? hasReportHere.peek() : !isReportWindow.peek());

/** Until the returned function is called. */
function followCommands(): () => void {
  const inOrder = createOrder();
  /** The commands that acted in the dictation, the newest last. */
  let done: { readonly command: VoiceCommand; readonly undo: Undo }[] = [];
  /** The last phrase that was a command: only the phrase right after it takes it back. */
  let latest: Place | null = null;
  /** The dictation that this page recorded last; its last words come when the microphone is off already. */
  let recorded: string | undefined;

  async function takeBack(heard: HeardCommand): Promise<void> {
    const last = heard.previous === latest ? done.at(-1) : undefined;
    // The writer deletes the last sentence.
    if (!last) return;
    await leaveOut(heard);
    done.pop();
    latest = heard.phrase;
    await last.undo();
    if (shown !== undefined) dismiss(shown);
    shown = notify({ tone: 'done', text: t('voice.undone', { what: t(`voice.${last.command}`) }) });
  }
  async function hear(heard: HeardCommand): Promise<void> {
    const { id, item_id: itemId, command, said } = heard;
    if (id !== recorded || itemId !== openItemId.peek() || !isForHere(command)) return;
    if (command === 'undo') return takeBack(heard);
    await drawn();
    if (isCovered()) return void notify({ tone: 'info', text: t('voice.covered', { said }), hint: t('voice.stays') });
    const act = chooseAction(heard);
    if (!act) {
      // The writer does it, and the words that did that are left out to take it back.
      if (command !== 'delete') return;
      latest = heard.phrase;
      done.push({ command, undo: () => leaveOut(heard) });
      return show(command, said, undefined);
    }
    await leaveOut(heard);
    latest = heard.phrase;
    const undo = await act();
    if (undo) done.push({ command, undo });
    show(command, said, undo && (() => takeBackByHand(undo)));
  }
  const takeBackByHand = (undo: Undo): void => {
    done = done.filter((each) => each.undo !== undo);
    void undo();
  };
  const endings = [
    bridge().on('command', (heard) => void inOrder(() => hear(heard)).catch(report)),
    effect(() => {
      const id = isReportWindow.value ? dictationOfPair.value : liveRecorder.value?.state.value.dictation?.id;
      if (id === undefined || id === null || id === recorded) return;
      recorded = id;
      if (!isReportWindow.peek()) tellRecording(id);
      done = [];
      latest = null;
      if (!isReportWindow.peek()) wantedSignature.value = null;
    }),
    // A signature is given only while its exam is open.
    effect(() => {
      const itemId = openItemId.value;
      const wanted = wantedSignature.value;
      if (!wanted) return;
      const state = findDictation(wanted.itemId)?.state;
      if (wanted.itemId !== itemId || state === 'failed') wantedSignature.value = null;
    }),
  ];
  return () => {
    for (const end of endings) end();
    if (!isReportWindow.peek()) wantedSignature.value = null;
  };
}

export function VoiceCommands() {
  useEffect(followCommands, []);
  return null;
}

/** Does what was said where something else was asked for, such as a correction. `false`: it is no command that acts here. */
export function obey(said: string, language: Language): boolean {
  const heard = settings.peek()?.voice_commands === true ? matchCommand(said, language) : undefined;
  if (!heard || heard.command === 'delete') return false;
  const act = chooseAction({ ...heard, said });
  if (!act) return false;
  Promise.resolve(act()).then((undo) => show(heard.command, said, undo), report);
  return true;
}
