import { defineCommand, flag } from '../../command.ts';
import { allSettings, settingText } from '../../resources/setting.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'A flag comes before the variable, that before the project’s file, that before yours, that before the default.',
  options: {
    showOrigin: flag('Tell where each value comes from'),
    all: flag('List also the settings that have no value', { short: 'a' }),
  },
  examples: [['laudio config list --show-origin', 'which file or variable decides']],
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
