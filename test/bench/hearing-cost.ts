/** What it costs to hear: sound of an hour fed to the local recogniser with the tone model, and words while somebody speaks. */
import { totalmem } from 'node:os';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { createLocalRecogniser } from '../../server/speech/local/local-recogniser.ts';
import { launchNode } from '../../server/runtime/processes/node-process.ts';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import { systemClock } from '../../src/node/clock.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import { organs, tones, wavOf } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';
import type { Bench, Row } from './bench.ts';
import { median } from './rounds.ts';

const rate = 16_000;
const minutes = 60;
const pieceMs = 60;
const never = new AbortController().signal;

export async function hearingRows({ fresh }: Bench): Promise<Row[]> {
  const models = fresh();
  await installToneModel(models, { id: 'tone' });
  await installToneModel(models, { id: 'live', live: true });
  const workers = createWorkers();
  const deps = {
    key: undefined,
    dataDir: undefined,
    memory: totalmem(),
    clock: systemClock,
    log: () => {},
    workers,
    launch: launchNode,
  };
  const [[id, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
  const about = { language: 'pt-BR', template: templateIn('pt-BR', id, template), exam: null } as const;
  const whole = await createLocalRecogniser({ model: 'tone', models }, deps);
  const live = await createLocalRecogniser({ model: 'live', models }, deps);
  try {
    const { processorMs, early, late } = await feedHour(whole, about);
    return [
      {
        what: `feeding ${minutes} minutes: processor time of the server`,
        against: 'the length of the sound',
        value: processorMs,
        base: minutes * 60_000,
        unit: 'ms',
        target: { atMost: 0.01 },
      },
      {
        what: `feeding ${minutes} minutes: memory of the server in the last ten`,
        against: 'that in the third ten',
        value: late,
        base: early,
        unit: 'MiB',
        target: { atMost: 1.2 },
      },
      {
        what: 'from the sound of a chunk to its words, live',
        against: 'a goal of 150 ms',
        value: await measureDelay(live, about),
        base: 150,
        unit: 'ms',
        target: { atMost: 1 },
      },
    ];
  } finally {
    await Promise.all([whole.close(), live.close(), workers.close()]);
    await rm(models, { recursive: true, force: true });
  }
}

type Recogniser = Awaited<ReturnType<typeof createLocalRecogniser>>;
type About = Pick<Parameters<Recogniser['transcribe']>[0], 'language' | 'template' | 'exam'>;

async function feedHour(recogniser: Recogniser, about: About) {
  // Words, and pauses as long as they are.
  const minute = Array.from({ length: 10 }, () => [...organs, null, null, null, null, null, null, null, null]).flat();
  const file = wavOf([tones(minute)], { promised: 0xffff_ffff });
  const sound = file.subarray(44);
  const memory: number[] = [];
  async function* bytes(): AsyncGenerator<Buffer> {
    yield file.subarray(0, 44);
    for (let each = 0; each < minutes; each += 1) {
      memory.push(process.memoryUsage.rss() / 1024 ** 2);
      yield sound;
    }
  }
  const before = process.cpuUsage();
  const { words = [] } = await recogniser.transcribe(
    {
      ...about,
      audio: { blob: 'b', bytes: 0, sha256: '', content_type: 'audio/wav', seconds: null },
      read: async () => Readable.from(bytes(), { objectMode: true, highWaterMark: 1 }),
      purpose: 'record',
    },
    never,
  );
  const { user, system } = process.cpuUsage(before);
  if (words.length !== minutes * 40) throw new Error(`${words.length} words were heard, not ${minutes * 40}`);
  const most = (values: readonly number[]): number => Math.max(...values);
  return { processorMs: (user + system) / 1000, early: most(memory.slice(20, 30)), late: most(memory.slice(-10)) };
}

/** ms from the piece that completes a chunk to its words, while sound comes as fast as somebody speaks. */
async function measureDelay({ live }: Recogniser, about: About): Promise<number> {
  const sound = tones([...organs, ...organs]);
  let given = 0;
  async function* spoken(): AsyncGenerator<Int16Array> {
    const samples = (pieceMs * rate) / 1000;
    for (let at = 0; at < sound.length; at += samples) {
      await setTimeout(pieceMs);
      given = performance.now();
      yield Int16Array.from(sound.subarray(at, at + samples), (sample) => Math.round(sample * 32_767));
    }
  }
  const delays: number[] = [];
  const heard = (): void => void delays.push(performance.now() - given);
  await live!.listen({ ...about, sound: spoken(), before: '' }, heard, never);
  return median(delays);
}
