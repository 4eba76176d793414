import { flag, defineCommand, required, text } from '../../command.ts';
import { readChanges, findKind, settingOptions } from '../../resources/channel-options.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'At the server that runs on this computer, which opens the channel at once and whenever it starts.',
  arguments: {
    kind: required('Kind of the channel; laudio channel kinds lists them'),
    name: required('Name of your choice'),
  },
  options: {
    ...settingOptions,
    space: text('Whose exams and documents it is about; default: local', { placeholder: 'NAME' }),
    disabled: flag('Do not open it yet'),
  },
  examples: [
    ['laudio channel add hl7-in ris --set port=2575', 'take orders from this computer over MLLP'],
    ['laudio channel add folder-in inbox --set path=/srv/inbox', 'take whatever file is laid into a folder'],
  ],
  async run(context, { kind, name, space, disabled, ...words }) {
    const changes = await readChanges(context, await findKind(context, kind), words);
    const body = { kind, name, ...changes, ...(space !== undefined && { space }), ...(disabled && { enabled: false }) };
    return channelDetail((await (await context.operator()).channels.add({ body })).data);
  },
});
