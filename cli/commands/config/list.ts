import { defineCommand, flag } from '../../command.ts';
import { allSettings, settingText } from '../../resources/setting.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'In order of precedence: flag, variable, the project’s file, your file, default.',
  options: {
    showOrigin: flag('Show the source of each value'),
    all: flag('Include settings without a value', { short: 'a' }),
  },
  examples: [['laudio config list --show-origin', 'which file or variable takes precedence']],
  async run(context, { showOrigin, all }) {
    const rows = allSettings(context).filter(({ value }) => all || value !== null);
    return listView({
      data: rows,
      rows,
      columns: [
        { title: 'Setting', value: ({ name }) => name, tone: () => 'strong' },
        { title: 'Value', value: ({ value }) => settingText(value), fold: true },
        ...(showOrigin
          ? [{ title: 'From', value: ({ origin }: (typeof rows)[number]) => origin.name, fold: true as const }]
          : []),
      ],
      empty: 'Nothing is set.',
    });
  },
});
