import { AppError } from '../../../src/contract/errors.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { changeUserSettings } from '../../../src/node/user-settings.ts';
import { chooseSetting } from '../../shell/choose-setting.ts';
import { defineCommand, text } from '../../command.ts';
import { messageView } from '../../shell/view.ts';
import { engineCare, engineFiles } from './engine-files.ts';

export const command = defineCommand({
  description:
    'Writes the choice to config.json, which `laudio serve` and the app read at their next start. The choice is checked first: an unknown kind or option, or a model that is not installed, changes nothing. Put keys in LAUDIO_RECOGNISER_KEY and LAUDIO_WRITER_KEY, never in a choice.',
  options: {
    recogniser: text('The recogniser, as `laudio serve --recogniser` takes it; none: no speech recognition', {
      placeholder: 'CHOICE',
    }),
    writer: text('The writer, as `laudio serve --writer` takes it', { placeholder: 'CHOICE' }),
  },
  examples: [
    ['laudio engine use --recogniser local:nemotron-3.5-streaming-1120', 'a model on this computer'],
    ['laudio engine use --recogniser none --writer rules', 'restore the default'],
  ],
  async run(context, said) {
    const { env, paths, clock } = context;
    const changes = engineParts.flatMap((part) => {
      const choice = said[part];
      return choice === undefined ? [] : [[part, choice.trim()] as const];
    });
    const parts = changes.map(([part]) => part);
    if (parts.length === 0)
      throw new AppError('USAGE', { message: 'Give --recogniser CHOICE, --writer CHOICE, or both.' });
    const wanted = {
      recogniser: chooseSetting(context, 'recogniser', said.recogniser) ?? { use: 'none' },
      writer: chooseSetting(context, 'writer', said.writer) ?? { use: 'rules' },
    };
    // The omitted engine is not checked: it may be the next one to be fixed.
    const checked = {
      recogniser: said.recogniser === undefined ? { use: 'none' } : wanted.recogniser,
      writer: said.writer === undefined ? { use: 'rules' } : wanted.writer,
    };
    const care = await engineCare();
    await care.checkChoices({ ...checked, ...choices(engineParts, checked, env) }, engineFiles(context));
    const path = await changeUserSettings({ config: paths.config, clock }, Object.fromEntries(changes));
    for (const part of parts) {
      const variable = `LAUDIO_${part.toUpperCase()}`;
      if (env[variable]) context.io.notice(`${variable} is set, and takes precedence over config.json.`, 'warn');
    }
    const names = parts.map((part) => `${part} ${wanted[part].use}`).join(', ');
    return messageView(`Set: ${names}. A running server or app uses it after its next start.`, {
      ...Object.fromEntries(parts.map((part) => [part, wanted[part].use])),
      saved: path,
      restart_needed: true,
    });
  },
});
