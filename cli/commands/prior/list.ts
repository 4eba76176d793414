import type { PriorSummary } from '../../../src/contract/prior.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, text } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { priorColumns } from '../../resources/prior.ts';

export const command = defineCommand({
  description:
    'Imported reports, newest import first. With --item: all priors of that exam, including your signed and preliminary reports, latest exam first.',
  options: {
    item: text('The priors of this exam', { placeholder: 'ID' }),
    sourceSystem: text('Only those from this system', { placeholder: 'NAME' }),
    from: text('Only exams not before this date or time', { placeholder: 'DATE' }),
    to: text('Only exams not after this date or time', { placeholder: 'DATE' }),
    ...pagingOptions,
  },
  async run({ client, signal }, { limit, all, item, sourceSystem, from, to }) {
    const { priors } = await client();
    const filters = Object.fromEntries(
      Object.entries({ source_system: sourceSystem, from, to }).filter(([, value]) => value !== undefined),
    );
    if (item !== undefined && Object.keys(filters).length > 0)
      throw new AppError('USAGE', {
        message: '--item lists all priors of an exam: combine it only with --limit or --all.',
      });
    type ListedPrior = Omit<PriorSummary, 'differs'>;
    return pagedList<ListedPrior>(
      { limit, all },
      (paging) =>
        item === undefined
          ? priors.list({ query: { ...filters, ...paging } }, { signal })
          : priors.ofItem({ params: { id: item }, query: paging }, { signal }),
      {
        columns: priorColumns,
        empty:
          item !== undefined
            ? 'The exam has no priors.'
            : Object.keys(filters).length > 0
              ? 'No report matches.'
              : 'No report was imported yet. Import reports with: laudio prior import FILE',
      },
    );
  },
});
