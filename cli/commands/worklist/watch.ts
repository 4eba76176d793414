import { defineCommand, integer } from '../../command.ts';
import { filterOptions, buildFilters, filterWords } from '../../resources/worklist-filters.ts';

export const command = defineCommand({
  description:
    'On a terminal, the list as it is now, full screen; q ends it. To a pipe or with --json, one JSON document a line for each change from now on: {at, id, status, version, change}, where change is inserted, updated, status, or reset after a break of which it is not known what happened. A lost connection is made again.',
  options: { ...filterOptions, count: integer('To a pipe: end after so many changes') },
  examples: [
    ['laudio worklist watch --today', 'today’s exams'],
    ['laudio worklist watch --json | while read -r change; do …; done', 'do something at each change'],
  ],
  async run(context, { count, ...options }) {
    const filters = await buildFilters(context, options);
    const { io } = context;
    if (io.canvas && io.output === 'table') {
      const { showLive } = await import('../../watch/live.ts');
      return showLive(context, io.canvas, { filters, words: filterWords(options) });
    }
    const { printChanges } = await import('../../watch/changes.ts');
    return printChanges(context, filters, count);
  },
});
