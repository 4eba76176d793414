import { AppError } from '../../../src/contract/errors.ts';
import { readChanges, findKind, settingOptions } from '../../resources/channel-options.ts';
import { defineCommand, required, text } from '../../command.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'The channel is closed and reopened. Other settings stay.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: { ...settingOptions, rename: text('A new name', { placeholder: 'NAME' }) },
  examples: [['laudio channel set ris --set peers=10.1.2.3,10.1.2.4', 'set who may connect']],
  async run(context, { channel, rename, ...words }) {
    const { channels } = await context.operator();
    const params = { channel };
    const present = (await channels.get({ params })).data;
    const changes = await readChanges(context, await findKind(context, present.kind), words);
    const body = { ...changes, ...(rename !== undefined && { name: rename }) };
    if (Object.keys(body).length === 0) {
      const hint = 'Use --set, --secret, --mapping or --rename.';
      throw new AppError('USAGE', { message: 'Name at least one change.', hint });
    }
    return channelDetail((await channels.change({ params, body })).data);
  },
});
