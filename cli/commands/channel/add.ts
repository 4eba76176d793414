import { flag, defineCommand, required, text } from '../../command.ts';
import { readChanges, findKind, settingOptions } from '../../resources/channel-options.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'On the server running on this computer, which opens the channel now and at every start.',
  arguments: {
    kind: required('Kind of the channel; laudio channel kinds lists them'),
    name: required('Name of your choice'),
  },
  options: {
    ...settingOptions,
    space: text('Space of its exams and records; default: local', { placeholder: 'NAME' }),
    disabled: flag('Don’t open it yet'),
  },
  examples: [
    ['laudio channel add hl7-in ris --set port=2575', 'receive orders over MLLP from this computer'],
    ['laudio channel add folder-in inbox --set path=/srv/inbox', 'import files from a folder'],
  ],
  async run(context, { kind, name, space, disabled, ...words }) {
    const changes = await readChanges(context, await findKind(context, kind), words);
    const body = { kind, name, ...changes, ...(space !== undefined && { space }), ...(disabled && { enabled: false }) };
    return channelDetail((await (await context.operator()).channels.add({ body })).data);
  },
});
