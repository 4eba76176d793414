import { itemsOf } from '../../../src/client/pages.ts';
import { owners } from '../../../src/contract/wordbook.ts';
import { choice, defineCommand } from '../../command.ts';
import { outputOption, save } from '../../shell/output-file.ts';

export const command = defineCommand({
  description: 'Writes CSV for “laudio vocabulary import”.',
  options: {
    owner: choice(owners, 'Only yours (person), or only those of the space'),
    ...outputOption,
  },
  examples: [['laudio vocabulary export --owner space -o words.csv', 'the space’s, to change them in a spreadsheet']],
  async run(context, { owner, output }) {
    const { vocabulary } = await context.client();
    const { termsAsCsv } = await import('../../../src/files/wordbook/term-file.ts');
    const query = owner ? { owner } : {};
    const terms = itemsOf((paging) =>
      vocabulary.list({ query: { limit: 200, ...query, ...paging } }, { signal: context.signal }),
    );
    return save(context, encodeLines(termsAsCsv(terms)), output, false);
  },
});

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line);
}
