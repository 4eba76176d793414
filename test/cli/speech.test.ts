/** Real speech, from the command line to the document: said by espeak-ng, heard by pocketsphinx behind an HTTP server. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { startApi } from '../support/api.ts';
import { wav } from '../support/audio.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { startSphinxServer } from '../support/sphinx-server.ts';

/** Debian has both programs; elsewhere the other tests of the recogniser stand for this one. */
const isLinux = process.platform === 'linux';
const said =
  'Test patient. Findings. The lungs are clear. There is no fracture in the right shoulder. Small stone in the left kidney.';
let cli: Cli;
let url: string;
beforeAll(async () => {
  if (!isLinux) return;
  const sphinx = await startSphinxServer();
  url = `${sphinx.url}/v1`;
  const api = await startApi({ listen: true, recogniser: { use: 'openai:pocketsphinx', options: { url } } });
  const login = { username: 'nunes', password: 'correct horse' };
  await api.createUser(login);
  const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
  cli = await createCli({ LAUDIO_SERVER: api.server.url, LAUDIO_TOKEN: token });
  return async () => {
    await cli.close();
    await api.close();
    await sphinx.close();
  };
});

/** A file in which a program says the words, with some silence around them. */
function spoken(words: string): string {
  const file = join(cli.directory, 'dictation.wav');
  execFileSync('espeak-ng', ['-v', 'en-us+klatt', '-s', '120', '-g', '4', '-w', file, words]);
  return file;
}

test.runIf(isLinux)('the words that were said are in the document', async () => {
  const words = ['record', 'generate', '--audio', spoken(said), '--language', 'en-US'];
  const record = await cli.json<MedicalRecord>(words);
  expect(record.test_mode).toBe(false);
  expect(record.transcript?.toLowerCase()).toContain('the lungs are clear there is no fracture in the right shoulder');
  const findings = record.sections.find(({ key }) => key === 'findings')!.text.toLowerCase();
  for (const word of ['lungs', 'clear', 'no fracture', 'right shoulder', 'small stone', 'left kidney']) {
    expect(findings).toContain(word);
  }
  expect(JSON.stringify(record.findings_to_review)).not.toContain('nothing_heard');
});

test.runIf(isLinux)('room noise is not transcribed as speech: the document is empty, and explains why', async () => {
  const file = join(cli.directory, 'room.wav');
  const noise = wav({ seconds: 8, rate: 16_000 });
  for (let at = 44; at < noise.length; at += 2) noise.writeInt16LE(((at * 7919) % 61) - 30, at);
  await writeFile(file, noise);
  const record = await cli.json<MedicalRecord>(['record', 'generate', '--audio', file, '--language', 'en-US']);
  expect(record.transcript).toBe('');
  expect(record.sections.every(({ text }) => text === '')).toBe(true);
  expect(record.findings_to_review).toContainEqual(
    expect.objectContaining({ kind: 'nothing_heard', severity: 'warning', status: 'open' }),
  );
});
