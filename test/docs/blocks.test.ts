/** Every block of code of the guides: typed into a shell, compared, parsed; or marked as an illustration, with a reason. */
import { afterAll, describe, expect, test } from 'vitest';
import { compilerSays } from './compiled.ts';
import { pageOf, readPage } from '../../docs/site/pages.ts';
import type { Tried } from './reader.ts';
import { typedPages, typePage } from './type-pages.ts';

/** Blocks that nobody tries, and why. Few, and each is a line here. */
const illustrations = [
  'how far a replay is, at one moment',
  'where somebody pressed Ctrl-C',
  'needs an S3 service',
  'needs a login provider',
  'needs the hub of a PACS',
  'needs another computer',
  'it needs a database',
  'it needs a server that was upgraded',
  'it needs a database',
  'Prometheus reads it',
  'fail2ban reads it',
  'GitHub reads it',
  'by curl, with the id of an item',
  'the request, as any program sends it',
  'the stream at the first change',
  'a Subscription for the channel ehr',
  'a Subscription at Laudio',
  'one has it, one does not answer',
];

const tried: Tried[] = [];

describe.runIf(process.platform !== 'win32')('typed line by line in a fresh home', () => {
  test.each(typedPages)('%s', async (path) => {
    tried.push(...(await typePage(pageOf(path))));
  });

  afterAll(() => {
    const { LAUDIO_TYPED_REPORT: report } = process.env;
    if (report === undefined) return;
    const lines = tried.map(({ how, place, text }) => `${how}\t${place}\t${text.split('\n')[0]}\n`);
    process.stdout.write(lines.join(''));
  });
});

const page = (text: string) => readPage('page.md', text);
const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

describe.runIf(process.platform !== 'win32')('a page that is wrong fails', () => {
  test.each([
    [
      'a command that fails',
      block('sh', 'laudio job show job_00000000000000000000000000'),
      'It ended with 3 instead of 0',
    ],
    ['another exit code than it says', block('sh', 'laudio job list   # exit code 9'), 'It ended with 0 instead of 9'],
    ['other words than are printed', block('sh', 'laudio job list') + block('output', 'A job'), 'shows\nA job'],
    ['JSON that is none', block('json', '{'), 'JSON'],
    ['a program that is none', block('js', 'const ='), 'node --check'],
    ['an id that nothing told', block('sh', 'laudio job show job_…'), 'No command of the page has told a job_…'],
    ['a refusal by the service', block('sh', 'curl -s http://127.0.0.1:8742/api/v1/jobs'), 'The service refused it'],
    ['a block of no language', block('', 'laudio job list'), 'nobody tries a block'],
  ])('by %s', async (_name, text, said) => {
    await expect(typePage(page(text))).rejects.toThrow(said);
  });
});

test('the TypeScript of the guides passes the compiler, and mistakes do not', async () => {
  const blocks = typedPages.flatMap((path) => pageOf(path).blocks).filter(({ language }) => language === 'ts');
  expect(blocks.length).toBeGreaterThan(1);
  const wrong = page(
    block('ts', "import { createClient } from 'laudio';\nawait createClient().worklists.lst();"),
  ).blocks;
  const said = (await compilerSays([...blocks, ...wrong])).split('\n').filter((line) => line.includes('error'));
  expect(said).toEqual([expect.stringContaining("page.md.1.mts(2,32): error TS2551: Property 'lst' does not exist")]);
});

test('marked illustrations are on the list, and listed ones exist', () => {
  const marked = typedPages
    .flatMap((path) => pageOf(path).blocks)
    .filter(({ marks }) => marks !== '' && !/^file=\S+$/.test(marks));
  expect(new Set(marked.map(({ marks }) => marks))).toEqual(
    new Set(illustrations.map((reason) => `illustration: ${reason}`)),
  );
});
