/** What every recogniser keeps to, whichever it is and whatever it hears in the sound. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListenInput, LiveRecogniser, Recogniser, TranscribeInput } from '../../server/speech/recogniser.ts';
import type { LiveHeard } from '../../src/domain/heard-text.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import { wav } from '../support/audio.ts';

const { signal } = new AbortController();
const exam = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  patient_age: '054Y',
};
const [[templateId, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
const sound = wav({ seconds: 2, rate: 16_000 });
const audio = {
  blob: 'b',
  bytes: sound.length,
  sha256: 'a'.repeat(64),
  content_type: 'audio/wav',
  seconds: 2,
} as const;
const spoken = (language: Language): TranscribeInput => ({
  audio,
  read: async () => Readable.from([sound.subarray(0, 1000), sound.subarray(1000)]),
  language,
  template: templateIn(language, templateId, template),
  exam,
  purpose: 'record',
});

const speech = (pieces: AsyncIterable<Int16Array>, before = ''): ListenInput => {
  const { language, template: chosen } = spoken('en-US');
  return { sound: pieces, before, language, template: chosen, exam };
};
type Final = Extract<LiveHeard, { kind: 'final' }>;
async function listen(live: LiveRecogniser, pieces: readonly Int16Array[], before = ''): Promise<Final[]> {
  const finals: Final[] = [];
  async function* all(): AsyncGenerator<Int16Array> {
    yield* pieces;
  }
  await live.listen(speech(all(), before), (heard) => void (heard.kind === 'final' && finals.push(heard)), signal);
  return finals;
}
const textOf = (finals: readonly Final[]): string =>
  finals.flatMap(({ heard }) => (heard.text === '' ? [] : [heard.text])).join(' ');

/** What a recogniser can do: nothing of it depends on the machine, so a recogniser that can do less is no skipped test. */
export interface Abilities {
  /** When words come: also while somebody still speaks, or only of a dictation that has ended. */
  readonly hears: 'live' | 'whole dictations';
  /** Whether the text is made up, so that nothing of the sound is read. Default: false. */
  readonly invents?: boolean;
}

/** Runs the shared suite against one recogniser of those that `open` makes: each starts its processes anew. */
export function describeRecogniser(
  name: string,
  { hears, invents = false }: Abilities,
  open: () => Promise<Recogniser>,
): void {
  describe(`the recogniser ${name}`, () => {
    let recogniser: Recogniser;
    beforeAll(async () => void (recogniser = await open()));
    afterAll(() => recogniser.close());

    it.each(languages)(
      'returns the same for %s each time, with words that are in the text, in its order and in that of time',
      async (language) => {
        const heard = await recogniser.transcribe(spoken(language), signal);
        expect(await recogniser.transcribe(spoken(language), signal)).toEqual(heard);
        const { text, words = [] } = heard;
        let end = 0;
        let said = 0;
        for (const word of words) {
          expect(word.start).toBeGreaterThanOrEqual(end);
          expect(word.end).toBeGreaterThan(word.start);
          expect(word.end).toBeLessThanOrEqual(text.length);
          expect(text.slice(word.start, word.end)).toBe(text.slice(word.start, word.end).trim());
          if (word.from !== undefined) expect(word.from).toBeGreaterThanOrEqual(said);
          if (word.to !== undefined) expect(word.to).toBeGreaterThanOrEqual(word.from ?? said);
          const { confidence = 1 } = word;
          expect(confidence >= 0 && confidence <= 1).toBe(true);
          end = word.end;
          said = word.from ?? said;
        }
      },
    );

    it('hears several at once as one after the other', async () => {
      const alone = [];
      for (const language of languages) alone.push(await recogniser.transcribe(spoken(language), signal));
      const together = languages.map((language) => recogniser.transcribe(spoken(language), signal));
      expect(await Promise.all(together)).toEqual(alone);
    });

    it('says whether it makes its text up', async () => {
      expect(recogniser.simulated).toBe(invents);
    });

    it('does not begin what is no longer wanted', async () => {
      await expect(recogniser.transcribe(spoken('en-US'), AbortSignal.abort())).rejects.toThrow();
    });

    if (!invents) {
      it('passes on that the sound cannot be read', async () => {
        const read = async (): Promise<Readable> => {
          throw new Error('The disk is gone.');
        };
        await expect(recogniser.transcribe({ ...spoken('en-US'), read }, signal)).rejects.toBeInstanceOf(Error);
      });

      it('stops while it hears when that is no longer wanted, and hears the next', async () => {
        const controller = new AbortController();
        const endless = async (): Promise<Readable> => {
          queueMicrotask(() => controller.abort());
          return new Readable({ read() {} }).on('error', () => {});
        };
        const hearing = recogniser.transcribe({ ...spoken('en-US'), read: endless }, controller.signal);
        await expect(hearing).rejects.toThrow();
        expect((await recogniser.transcribe(spoken('en-US'), signal)).text).toBeTypeOf('string');
      });
    }

    if (hears === 'live') describeLive(() => recogniser);
    else {
      it('says that it hears only dictations that have ended', async () => {
        expect(recogniser.live).toBeUndefined();
      });
    }

    it('says when asked that it can serve, and ends once and twice', async () => {
      const another = await open();
      await another.probe(signal);
      await another.close();
      await another.close();
    });
  });
}

/** What a recogniser keeps to that hears while somebody still speaks. */
function describeLive(opened: () => Recogniser): void {
  const liveOne = (): LiveRecogniser => {
    const { live } = opened();
    if (!live) throw new Error('It does not hear live.');
    return live;
  };

  it('hears live the same in whatever pieces the sound comes, in the order of time, and goes on where it stopped', async () => {
    const live = liveOne();
    const samples = new Int16Array(sound.buffer, sound.byteOffset + 44, (sound.length - 44) >> 1);
    const whole = await listen(live, [samples]);
    const pieces = Array.from({ length: Math.ceil(samples.length / 997) }, (_, at) =>
      samples.subarray(997 * at, 997 * (at + 1)),
    );
    expect(textOf(await listen(live, pieces))).toBe(textOf(whole));
    let until = 0;
    for (const each of whole) {
      expect(each.until).toBeGreaterThanOrEqual(until);
      for (const word of each.heard.words ?? []) {
        if (word.from !== undefined) expect(word.from).toBeGreaterThanOrEqual(until);
        expect(each.heard.text.slice(word.start, word.end)).not.toBe('');
      }
      until = each.until;
    }
    const [first] = whole;
    if (!first) return;
    const rest = samples.subarray(Math.round(first.until * 16_000));
    const goneOn = await listen(live, [rest], first.heard.text);
    expect(textOf([first, ...goneOn])).toBe(textOf(whole));
  });

  it('stops listening when it is no longer wanted', async () => {
    const live = liveOne();
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Int16Array> {
      for (let turns = 0; turns < 1000; turns++) {
        if (turns === 3) controller.abort();
        yield new Int16Array(1600);
        await setImmediate();
      }
    }
    await expect(live.listen(speech(endless()), () => {}, controller.signal)).rejects.toThrow();
  });
}
