/** The files of docs/operate: their commands are ones that this version takes, and its balancer asks as the server answers. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from '../../cli/parse.ts';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/operate/${name}`, import.meta.url), 'utf8');

/** The words after `laudio` of the only `laudio serve` in the file. */
function findWords(text: string): string[] {
  const [, command = ''] = /\blaudio (serve (?:--[^\n]*\n?\s*)+)/.exec(text) ?? [];
  const addressed = command.replace('$$(hostname -i)', '10.0.0.7').replaceAll('%i', '8443');
  return addressed.split(/\s+/).filter((word) => word !== '');
}

const silent = { write: () => undefined, width: 80 };

test.each(['compose.yml', 'laudio@.service'])('%s starts a process as the guide says', async (name) => {
  const words = findWords(await read(name));
  const parsed = await parse(words, '0.0.0', silent);
  expect(parsed?.input).toMatchObject({
    host: '0.0.0.0',
    publicUrl: 'https://laudio.example.com',
    store: expect.stringMatching(/^postgres:/),
    blobs: expect.stringMatching(/^s3:/),
    operatorTokenFile: expect.stringMatching(/operator$/),
    memberUrl: expect.stringMatching(/^http:/),
  });
});

test('the processes have half a minute to stop, and a balancer that asks whether they are ready', async () => {
  expect(await read('compose.yml')).toContain('stop_grace_period: 30s');
  expect(await read('laudio@.service')).toContain('TimeoutStopSec=30');
  expect(await read('haproxy.cfg')).toContain('GET uri /readyz ver HTTP/1.1 hdr Host laudio.example.com');
});
