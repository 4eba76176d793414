/**
 * Dictations that are heard live by the server as it is built, with the tone model: how soon the report is there, what an hour
 * costs the server, and whether the process of the model keeps it from being ready.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { liveBytesPerSecond } from '../../src/contract/transcription.ts';
import { personToken } from '../support/person-token.ts';
import { organs, pcmOf, tones, toneSeconds } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';
import type { Bench, Row } from './bench.ts';
import { clientOf } from './caller.ts';
import { takeTurns } from './rounds.ts';
import { memoryOf } from './start-up.ts';

/** Four words, and a pause in which they become final. */
const sentence = [...organs, null, null, null];
const sentenceBytes = pcmOf(tones(sentence));
const wordsOfSentence = 4;
const sentenceSeconds = sentence.length * toneSeconds;
/** Bytes of a request: 100 ms, as the app sends them. */
const step = liveBytesPerSecond / 10;
const minutes = 60;

export async function dictationRows({ serve, fresh }: Bench): Promise<Row[]> {
  const models = fresh();
  await installToneModel(models, { id: 'tone', live: true });
  const recogniser = `local:tone models=${models}`;
  const preloaded = `${recogniser} preload=true`;
  await using serving = await serve(undefined, ['--recogniser', recogniser]);
  const { client, close } = clientOf(serving.ready.url, await personToken(serving.ready));
  try {
    const report = await takeTurns({ base: () => writtenIn(client), value: () => reportIn(client) }, 3);
    const { seconds, early, late } = await dictateHour(client, serving.ready.pid);
    const ready = await takeTurns(
      { base: () => readyIn(() => serve()), value: () => readyIn(() => serve(undefined, ['--recogniser', preloaded])) },
      5,
    );
    return [
      {
        what: 'a report, from the last sound of a minute spoken live',
        against: '2 s and the time to write it',
        value: report.value,
        base: 2000 + report.base,
        unit: 'ms',
        target: { atMost: 1 },
      },
      {
        what: `${minutes} minutes spoken live: processor time of the server`,
        against: 'the length of the sound',
        value: seconds * 1000,
        base: minutes * 60_000,
        unit: 'ms',
        target: { atMost: 0.01 },
      },
      {
        what: `${minutes} minutes spoken live: memory of the server in the last ten`,
        against: 'that in the third ten',
        value: late,
        base: early,
        unit: 'MiB',
        target: { atMost: 1.2 },
      },
      {
        what: 'laudio serve, ready, while a model is loaded',
        against: 'the same without a model',
        ...ready,
        unit: 'ms',
        target: { atMost: 1.2 },
      },
    ];
  } finally {
    await close();
  }
}

const dictation = { language: 'pt-BR' } as const;
const sentencesOfMinute = Math.round(60 / sentenceSeconds);

/** ms to write the report of as many words as a minute has, which nobody has to hear. */
async function writtenIn({ records }: Client): Promise<number> {
  const text = Array.from({ length: sentencesOfMinute }, () => 'coração pulmão fígado rim').join(' ');
  const begun = performance.now();
  await records.generate({ body: { ...dictation, text } });
  return performance.now() - begun;
}

/** ms from the last sound of a dictation of a minute, which ends with a word, to its report. The last sentence takes as long as it is. */
async function reportIn({ transcriptions, records }: Client): Promise<number> {
  const { id } = (await transcriptions.create({ body: dictation })).data;
  const byId = { params: { id } };
  let offset = 0;
  const send = async (body: Uint8Array): Promise<void> => {
    ({ offset } = (await transcriptions.append({ ...byId, query: { offset }, body })).data);
  };
  for (let each = 1; each < sentencesOfMinute; each += 1) await send(sentenceBytes);
  while ((await transcriptions.get(byId)).data.phrases.length < sentencesOfMinute - 1) await setTimeout(20);
  const last = pcmOf(tones(organs));
  for (let at = 0; at < last.length; at += step) {
    await setTimeout((1000 * step) / liveBytesPerSecond);
    await send(last.subarray(at, at + step));
  }
  const begun = performance.now();
  const { data } = await records.generate({ body: { transcription_id: id } });
  const elapsed = performance.now() - begun;
  const heard = 'transcript' in data ? (data.transcript?.split(' ').length ?? 0) : 0;
  requireWords(heard, sentencesOfMinute);
  return elapsed;
}

/** Speaks for an hour without a rest. Seconds of the processor, and MiB that the server had. */
async function dictateHour({ transcriptions }: Client, pid: number) {
  const { id } = (await transcriptions.create({ body: dictation })).data;
  const byId = { params: { id } };
  const count = Math.round((minutes * 60) / sentenceSeconds);
  const memory: number[] = [];
  const before = processorOf(pid);
  let offset = 0;
  for (let each = 0; each < count; each += 1) {
    if ((each * sentenceSeconds) % 60 < sentenceSeconds) memory.push(memoryOf(pid) / 1024 ** 2);
    for (let at = 0; at < sentenceBytes.length; at += step) {
      const body = sentenceBytes.subarray(at, at + step);
      ({ offset } = (await transcriptions.append({ ...byId, query: { offset }, body })).data);
    }
  }
  await transcriptions.end(byId);
  let told = (await transcriptions.get(byId)).data;
  for (; told.status !== 'ended'; told = (await transcriptions.get(byId)).data) await setTimeout(100);
  const seconds = processorOf(pid) - before;
  requireWords(
    told.phrases.reduce((sum, { text }) => sum + text.split(' ').length, 0),
    count,
  );
  await transcriptions.delete(byId);
  const most = (values: readonly number[]): number => Math.max(...values);
  return { seconds, early: most(memory.slice(20, 30)), late: most(memory.slice(-10)) };
}

function requireWords(heard: number, sentences: number): void {
  const said = sentences * wordsOfSentence;
  if (heard !== said) throw new Error(`${heard} words were heard, not ${said}`);
}

/** Seconds of the processor that a process has used, without those that it has started. */
function processorOf(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  const [rest, days = 0] = stdout.trim().split('-').toReversed();
  const clock = rest!.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + clock;
}

async function readyIn(serve: () => Promise<AsyncDisposable>): Promise<number> {
  const begun = performance.now();
  await using _serving = await serve();
  return performance.now() - begun;
}
