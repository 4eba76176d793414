/**
 * Transcribes the stored audio of a session to its end, and stores final words. After a failure of the recogniser it resumes after the
 * last final word, so that nothing is lost or repeated.
 */
import { AppError, errors } from '../../../src/contract/errors.ts';
import { liveBytesPerSecond, liveSampleBytes } from '../../../src/contract/transcription.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import type { Bell } from '../../../src/domain/bell.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import { joinHeard, joinSounds } from '../../../src/domain/heard-text.ts';
import type { HeardSound, HeardText, LiveHeard, SuppressedText } from '../../../src/domain/heard-text.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { pause } from '../../../src/domain/pause.ts';
import type { RecordDeps } from '../deps.ts';
import { findExam, toExamContext } from '../exam.ts';
import { phraseId, secondsOf, toStoredSound } from './stored-transcription.ts';
import type { StoredPhrase, StoredTranscription } from './stored-transcription.ts';
import type { Sound } from './transcriptions.ts';

/** A transcription in progress, as session, transcriber and followers share it. */
export interface LiveState {
  stored: StoredTranscription;
  readonly phrases: StoredPhrase[];
  readonly sound: Sound;
  /** Words after the last phrase, which may still change. */
  partial: string;
  /** Rings when any of these has changed. */
  readonly bell: Bell;
  /** Aborted when the session closes. */
  readonly closing: AbortSignal;
}

export type SessionChange = Partial<Pick<StoredTranscription, 'status' | 'error' | 'heard_sound' | 'checking'>>;

export type TranscriberDeps = Pick<RecordDeps, 'store' | 'recognition' | 'templates' | 'clock' | 'log'> & {
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
};

/** Imported for the first words, because it is large. */
const vocabulary = () => import('../wordbook/vocabulary.ts');

/** Attempts without progress after which transcription fails. */
const maxAttempts = 8;
const backoff = { base: 250, factor: 2, max: 30_000 };
/** Bytes that the recogniser gets at a time: two seconds. */
const maxChunkBytes = 2 * liveBytesPerSecond;

export class Transcriber {
  readonly #deps: TranscriberDeps;
  readonly #state: LiveState;
  readonly #change: (to: SessionChange) => Promise<void>;
  /** Posts and changes run one at a time. */
  readonly #inOrder: InOrder;
  /** Transcripts are stored one at a time. */
  readonly #asHeard = createOrder();
  /** Bytes of audio up to which all words are final. */
  #final: number;

  /** `change` stores a change of the transcription. */
  constructor(
    deps: TranscriberDeps,
    state: LiveState,
    { change, inOrder }: { readonly change: (to: SessionChange) => Promise<void>; readonly inOrder: InOrder },
  ) {
    this.#deps = deps;
    this.#state = state;
    this.#change = change;
    this.#inOrder = inOrder;
    this.#final = bytesAt(state.phrases.at(-1)?.to ?? 0);
  }

  /** Transcribes to the end and stores that status. A full disk delays it. */
  async run(): Promise<void> {
    const state = this.#state;
    const { clock, random } = this.#deps;
    for (let attempt = 1; !state.closing.aborted; attempt++) {
      try {
        if (!state.stored.error && state.stored.status !== 'ended') await this.#transcribeAll();
        if (state.closing.aborted) return;
        await this.#inOrder(async () => {
          const { status, checking } = state.stored;
          if (status === 'settling' || checking) await this.#change({ status: 'ended', checking: false });
        });
        return;
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return;
        const delay = backoffDelay(attempt, { ...backoff, random });
        await pause(machineClockOf(clock), delay, state.closing).catch(() => undefined);
      }
    }
  }

  async #transcribeAll(): Promise<void> {
    const state = this.#state;
    const { clock, log, random } = this.#deps;
    for (let attempts = 1; ; attempts++) {
      const before = this.#final;
      try {
        await this.#listen();
        if (state.stored.status !== 'open') return;
        throw new AppError('ENGINE_UNAVAILABLE', { message: 'The recogniser stopped before the sound ended.' });
      } catch (error) {
        if (state.closing.aborted) return;
        state.partial = '';
        state.bell.ring();
        const { code, details } = error instanceof AppError ? error : new AppError('INTERNAL_ERROR');
        if (this.#final > before) attempts = 1;
        // Words that are final stay; a check that failed is lost.
        if (state.stored.status === 'ended') return;
        // The same sound is refused again.
        const isRefused = code === 'VALIDATION_FAILED';
        const isOver = attempts >= maxAttempts || isRefused || details?.['reason'] !== undefined;
        log({
          level: 'warn',
          event: 'live_hearing_failed',
          transcription_id: state.stored.id,
          code,
          attempt: attempts,
          ...(!(error instanceof AppError) && { name: error instanceof Error ? error.name : typeof error }),
        });
        if (isOver) return this.#change({ error: { code, message: errors[code].title } });
        // After a crash it retries at once, then with growing delays.
        if (attempts > 1) {
          const delay = backoffDelay(attempts - 1, { ...backoff, random });
          await pause(machineClockOf(clock), delay, state.closing).catch(() => undefined);
        }
      }
    }
  }

  /** Runs the recogniser once, from the last final word to the end of the audio. */
  async #listen(): Promise<void> {
    const state = this.#state;
    const { store, recognition, templates } = this.#deps;
    const base = this.#final;
    const attempt = new AbortController();
    const signal = AbortSignal.any([state.closing, attempt.signal]);
    const item = await findExam(store, state.stored.space, state.stored.worklist_item_id ?? undefined);
    const exam = item ? toExamContext(item) : null;
    const { language, template_id: template, heard_sound: soundBefore = {} } = state.stored;
    const chosen = await templates.choose(state.stored, { id: template ?? undefined, language, exam });
    const grant = await store.get('grants', state.stored.grant_id);
    const speaker = { space: state.stored.space, ...(grant?.user_id && { user_id: grant.user_id }) };
    const { expectedTerms } = await vocabulary();
    const terms = await expectedTerms(store, speaker, { template: chosen, exam });
    let refused: unknown;
    let newest = 0;
    /** The phrases of finals that are not checked yet. */
    const unchecked: (StoredPhrase | undefined)[] = [];
    const hear = (heard: LiveHeard): void => {
      if (heard.kind !== 'checked') newest++;
      const mine = newest;
      void this.#asHeard(async () => {
        if (refused !== undefined || state.closing.aborted) return;
        if (heard.kind === 'final') {
          const phrase = await this.#storePhrase(heard, base);
          if (heard.isUnchecked) unchecked.push(phrase);
          return;
        }
        if (heard.kind === 'checked' || heard.kind === 'complete') {
          const sound = joinSounds([
            { sound: soundBefore, by: 0 },
            { sound: heard.sound, by: secondsOf(base) },
          ]);
          if (heard.kind === 'complete') return this.#completeWords(sound);
          const finals = heard.finals.map((final) => joinHeard([{ heard: final, by: secondsOf(base) }]));
          return this.#storeCheck(unchecked.splice(0, finals.length), finals, sound);
        }
        // Outdated partials are skipped.
        if (mine !== newest) return;
        state.partial = heard.text;
        state.bell.ring();
      }).catch((error: unknown) => {
        refused = error;
        attempt.abort();
      });
    };
    const input = {
      sound: this.#soundFrom(base, signal),
      language,
      template: chosen,
      exam,
      terms,
      before: state.phrases.map(({ text }) => text).join(' '),
    };
    try {
      await recognition.listen(state.stored, input, hear, signal);
    } finally {
      await this.#asHeard.idle();
    }
    if (refused !== undefined) throw refused;
  }

  /** Yields the stored audio from there on, as it arrives. */
  async *#soundFrom(from: number, signal: AbortSignal): AsyncGenerator<Int16Array, void> {
    const state = this.#state;
    for (let at = from; !signal.aborted;) {
      if (at < state.sound.size) {
        const to = Math.min(state.sound.size, at + maxChunkBytes);
        for await (const bytes of state.sound.read(at, to)) yield toSamples(bytes);
        at = to;
      } else if (state.stored.status === 'open') await state.bell.rung(signal);
      else return;
    }
  }

  async #storePhrase(
    { heard, until, isUnchecked = false }: Extract<LiveHeard, { kind: 'final' }>,
    base: number,
  ): Promise<StoredPhrase | undefined> {
    const state = this.#state;
    const { id } = state.stored;
    const to = Math.min(state.sound.size, Math.max(this.#final, base + bytesAt(until)));
    let phrase: StoredPhrase | undefined;
    if (heard.text.trim() !== '') {
      const n = state.phrases.length + 1;
      const said = joinHeard([{ heard, by: secondsOf(base) }]);
      const stored: StoredPhrase = {
        id: phraseId(id, n),
        transcription_id: id,
        n,
        text: said.text,
        from: secondsOf(this.#final),
        to: secondsOf(to),
        ...(said.words && { words: [...said.words] }),
        ...(said.suppressed && { suppressed: [...said.suppressed] }),
        ...(isUnchecked && { unchecked: true }),
      };
      await this.#put([stored]);
      state.phrases.push(stored);
      phrase = stored;
    }
    this.#final = to;
    state.partial = '';
    state.bell.ring();
    return phrase;
  }

  /** All words are final: they make a record, even if some are still heard again. */
  async #completeWords(heard_sound: HeardSound): Promise<void> {
    if (this.#state.stored.status !== 'settling' || !this.#state.phrases.some(({ unchecked }) => unchecked)) return;
    await this.#inOrder(() =>
      this.#change({ heard_sound: toStoredSound(heard_sound), status: 'ended', checking: true }),
    );
  }

  /** Stores what a check found: first about the sound, since phrases that count as checked need it. */
  async #storeCheck(
    phrases: readonly (StoredPhrase | undefined)[],
    finals: readonly HeardText[],
    heard_sound: HeardSound,
  ): Promise<void> {
    await this.#inOrder(() => this.#change({ heard_sound: toStoredSound(heard_sound) }));
    const checked: StoredPhrase[] = [];
    /** Text that nobody said, of finals without words: it goes to the next phrase, or to the last one. */
    let left: readonly SuppressedText[] = [];
    for (const [at, phrase] of phrases.entries()) {
      const { otherReadings, suppressed = [] } = finals[at] ?? {};
      if (!phrase) {
        left = [...left, ...suppressed];
        continue;
      }
      const { unchecked: _unchecked, ...rest } = phrase;
      checked.push(
        withSuppressed({ ...rest, ...(otherReadings && { other_readings: [...otherReadings] }) }, { before: left }),
      );
      left = [];
    }
    const last = checked.pop() ?? this.#state.phrases.at(-1);
    if (last) checked.push(withSuppressed(last, { behind: left }));
    await this.#put(checked);
    for (const phrase of checked) this.#state.phrases[phrase.n - 1] = phrase;
  }

  async #put(phrases: readonly StoredPhrase[]): Promise<void> {
    await this.#deps.store.transact(async (tx) => {
      if (!(await tx.get('transcriptions', this.#state.stored.id))) throw new AppError('NOT_FOUND');
      for (const phrase of phrases) tx.put('phrases', phrase);
    });
  }
}

/** The phrase with text that nobody said before it and behind it. */
function withSuppressed(
  phrase: StoredPhrase,
  {
    before = [],
    behind = [],
  }: { readonly before?: readonly SuppressedText[]; readonly behind?: readonly SuppressedText[] },
): StoredPhrase {
  if (before.length + behind.length === 0) return phrase;
  const { text, suppressed = [] } = phrase;
  const place = (all: readonly SuppressedText[], at: number) => all.map((each) => ({ ...each, at }));
  return { ...phrase, suppressed: [...place(before, 0), ...suppressed, ...place(behind, text.length)] };
}

/** Bytes of whole samples. */
const bytesAt = (seconds: number): number =>
  Math.round((seconds * liveBytesPerSecond) / liveSampleBytes) * liveSampleBytes;

function toSamples(bytes: Buffer): Int16Array {
  const aligned = bytes.byteOffset % liveSampleBytes === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.length / liveSampleBytes);
}
