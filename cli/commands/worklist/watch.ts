import { defineCommand, integer } from '../../command.ts';
import { filterOptions, buildFilters, filterWords } from '../../resources/worklist-filters.ts';

export const command = defineCommand({
  description:
    'On a terminal, shows the live list in full screen; q quits. To a pipe or with --json, prints one JSON line per change: {at, id, status, version, change}, where change is inserted, updated, status, or reset if changes may have been missed. Reconnects after a lost connection.',
  options: { ...filterOptions, count: integer('To a pipe: stop after this many changes') },
  examples: [
    ['laudio worklist watch --today', 'today’s exams'],
    ['laudio worklist watch --json | while read -r change; do …; done', 'react to each change'],
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
