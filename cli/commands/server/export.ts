import { defineCommand, flag, list, optional } from '../../command.ts';
import { save } from '../../shell/output-file.ts';

export const command = defineCommand({
  description:
    'A header, then one stored document per line, as laudio server seed reads them. Without audio, and without secrets (keys, hashes, tokens) unless you add --all. The lines contain patient data.',
  arguments: { file: optional('Where to save them; default: standard output') },
  options: {
    collection: list('Only these, for example items; repeatable', { placeholder: 'NAME' }),
    all: flag('Secrets too'),
  },
  examples: [
    ['laudio server export day.ndjson', 'everything except secrets and audio'],
    ['laudio server export --collection items --collection history', 'to standard output'],
  ],
  async run(context, { file, collection, all }) {
    const { maintenance } = await context.operator();
    const query = {
      ...(collection.length > 0 && { collections: collection.join(',') }),
      ...(all && { secrets: true }),
    };
    const { body } = await maintenance.export({ query }, { signal: context.signal });
    return save(context, body, file, false);
  },
});
