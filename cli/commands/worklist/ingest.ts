import { AppError } from '../../../src/contract/errors.ts';
import { maxBatchBytes } from '../../../src/contract/worklist.ts';
import type { IngestResult, WorklistItemInput } from '../../../src/contract/worklist.ts';
import { command, flag, several, text } from '../../command.ts';
import { readJson } from '../../input-file.ts';
import type { Context } from '../../context.ts';
import { render } from '../../render.ts';
import { listView } from '../../view.ts';
import type { Tone, View } from '../../view.ts';

/** A file with one item, an array, or `{items: […]}`: the three shapes of the API. */
type Batch = WorklistItemInput | WorklistItemInput[] | { items: WorklistItemInput[] };

export const ingest = command({
  summary: 'Send worklist items from a file',
  description:
    'FILE holds one item, an array of items, or {"items": […]}. Items that match a stored exam by accession number or study UID update it; bad ones are refused and the rest is taken (exit code 9).',
  arguments: { file: several('JSON file, or - for standard input') },
  options: {
    sourceSystem: text('Identifier of the sending RIS/PACS system', { placeholder: 'NAME' }),
    idempotencyKey: text('Sending the same file again under this key does nothing new', { placeholder: 'UUID' }),
    quiet: flag('Only what was refused', { short: 'q' }),
  },
  examples: [
    ['laudio worklist ingest samples/worklist.json', 'send the sample day'],
    ['laudio worklist ingest - --source-system RIS1 < today.json', 'send what another program gives'],
  ],
  async run(context, { file, sourceSystem, idempotencyKey, quiet }) {
    const results: IngestResult[] = [];
    for (const name of file) results.push(await send(context, name, sourceSystem, idempotencyKey));
    const refused = results.flatMap((result) => result.errors);
    await render(context.io, outcomes(results, quiet));
    const sum = (count: 'inserted' | 'updated' | 'deduped') =>
      results.reduce((total, result) => total + result[count], 0);
    const summary = `${sum('inserted')} inserted, ${sum('updated')} updated, ${sum('deduped')} unchanged, ${refused.length} refused`;
    if (context.io.output !== 'json') context.io.notice(summary, refused.length > 0 ? 'warn' : 'good');
    if (refused.length > 0) {
      throw new AppError('PARTIAL', {
        message: `${refused.length} of ${results.reduce((total, result) => total + result.processed, 0)} items were refused.`,
        hint: 'Mend them and send the file again; what was taken is recognised.',
        details: { errors: refused },
      });
    }
  },
});

async function send(
  { io, client, signal }: Context,
  file: string,
  sourceSystem: string | undefined,
  idempotencyKey: string | undefined,
): Promise<IngestResult> {
  const body = (await readJson(io, file, maxBatchBytes)) as Batch;
  const { worklists } = await client();
  const { data } = await io.progress('Sending', () =>
    worklists.ingest(
      { body },
      {
        signal,
        ...(sourceSystem !== undefined && { headers: { 'X-Source-System': sourceSystem } }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      },
    ),
  );
  return data;
}

interface Row {
  readonly accession: string | null;
  readonly outcome: string;
  readonly id: string | undefined;
  readonly message: string | undefined;
}

const tones: Readonly<Record<string, Tone>> = { inserted: 'good', updated: 'busy', deduped: 'faint', refused: 'bad' };

function outcomes(results: readonly IngestResult[], onlyRefused: boolean): View {
  const refused = results.flatMap(({ errors }) =>
    errors.map(({ index, accession_number, message, field }): Row => {
      const place = `item ${index}${field ? `, ${field}` : ''}`;
      return { accession: accession_number, outcome: 'refused', id: undefined, message: `${place}: ${message}` };
    }),
  );
  const taken = results.flatMap(({ items }) =>
    items.map(({ accession_number, status, id, message }): Row => ({
      accession: accession_number,
      outcome: status,
      id,
      message,
    })),
  );
  return listView<Row>({
    data: results.length === 1 ? results[0] : results,
    rows: onlyRefused ? refused : [...taken, ...refused],
    columns: [
      { title: 'Accession', value: (row) => row.accession },
      { title: 'Outcome', value: (row) => row.outcome, tone: (row) => tones[row.outcome] ?? 'plain' },
      { title: 'ID', value: (row) => row.id, tone: () => 'faint' },
      { title: 'Message', value: (row) => row.message, cut: true },
    ],
    empty: onlyRefused ? 'Nothing was refused.' : 'The file holds no items.',
  });
}
