/**
 * A server of audio transcriptions that really hears: pocketsphinx with its model of American English, as far as the grammar
 * goes. Its words are few, since its general model of language knows no reports and misunderstands programs that speak.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { soundIn } from './fake-transcription-server.ts';
import { startHttpServer } from './http-server.ts';
import type { TestServer } from './http-server.ts';
import { sphinxModel } from './sphinx-model.ts';

/** Reports of any number of sentences; each slot has a dozen words that it may be. */
const grammar = `#JSGF V1.0;
grammar report;
public <report> = <sentence>+;
<sentence> = <normal> | <absent> | <present> | test patient | findings | impression;
<normal> = the <organ> ( is | are ) ( normal | clear | enlarged | small );
<absent> = there is no <finding> in the [ <side> ] <organ>;
<present> = ( small | large ) <finding> in the [ <side> ] <organ>;
<side> = right | left | upper | lower;
<organ> = lungs | liver | kidney | spleen | heart | bladder | pancreas | brain | breast | shoulder | knee | pelvis;
<finding> = mass | fracture | stone | cyst | lesion | nodule | tumor | infection | abscess | fluid;
`;

const run = promisify(execFile);

export async function startSphinxServer(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-sphinx-'));
  const grammarFile = join(directory, 'report.jsgf');
  await writeFile(grammarFile, grammar);
  const hear = async (wav: Buffer, number: number): Promise<object> => {
    const sound = join(directory, `${number}.wav`);
    await writeFile(sound, wav);
    const dictionary = join(sphinxModel, 'cmudict-en-us.dict');
    const words = ['-infile', sound, '-jsgf', grammarFile, '-dict', dictionary, '-time', 'yes'];
    const { stdout } = await run('pocketsphinx_continuous', words);
    return answerOf(stdout);
  };
  const server = await startHttpServer(async (asked, count) => {
    if (asked.path === '/v1/models') return { body: { data: [{ id: 'pocketsphinx' }] } };
    const { wav, fields } = soundIn(asked);
    return fields['language'] === 'en'
      ? { body: await hear(wav, count) }
      : { status: 400, body: { error: { message: 'only English is known' } } };
  });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Of lines `word from to posterior`; `word(2)` is another pronunciation, `<sil>` a pause. */
function answerOf(lines: string): object {
  const words = lines.split('\n').flatMap((line) => {
    const [, word, start, end, probability] = /^([a-z']+)(?:\(\d+\))? ([\d.]+) ([\d.]+) ([\d.]+)$/.exec(line) ?? [];
    return word === undefined ? [] : [{ word, start, end, probability: Math.min(1, Number(probability)) }];
  });
  return { text: words.map(({ word }) => word).join(' '), words };
}
