import { AppError } from '../../../src/contract/errors.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { anyNumber, defineCommand, flag, text } from '../../command.ts';
import { messageDetail, retriedView } from '../../resources/channel.ts';

export const command = defineCommand({
  description:
    'A refused incoming message is read again with the current settings and mapping of its channel; an outgoing one is sent now.',
  arguments: { ids: anyNumber('Ids of messages (msg_…)') },
  options: {
    all: text('All refused messages of this channel, oldest first', { placeholder: 'CHANNEL' }),
    acceptPatientChange: flag('Move the message’s exams to the patient that it names; check first whose they are'),
  },
  examples: [
    ['laudio channel retry --all ris', 'after fixing the mapping'],
    ['laudio channel retry msg_… msg_…', 'some that laudio channel messages has found'],
    ['laudio channel retry msg_… --accept-patient-change', 'if the message names the right patient'],
  ],
  async run({ operator }, { ids, all, acceptPatientChange }) {
    const [id, ...others] = ids;
    if ((id === undefined) === (all === undefined)) {
      throw new AppError('USAGE', { message: 'Name messages, or a channel with --all.' });
    }
    const name = ids.find((each) => !each.startsWith('msg_'));
    if (name !== undefined) {
      throw new AppError('USAGE', {
        message: `${name} is not the id of a message (msg_…).`,
        hint: `laudio channel queue shows ids; laudio channel retry --all ${name} takes all refused messages of a channel.`,
      });
    }
    if (acceptPatientChange && (others.length > 0 || id === undefined)) {
      throw new AppError('USAGE', {
        message: 'A patient change can be accepted for one message at a time only.',
        hint: 'laudio channel queue lists the messages; laudio channel retry msg_… --accept-patient-change tries one.',
      });
    }
    const { channels } = await operator();
    if (all !== undefined) return retriedView((await channels.retryAll({ params: { channel: all } })).data);
    if (others.length > 0) return retriedView((await channels.retrySome({ body: { ids: [...ids] } })).data);
    const query = { accept_patient_change: acceptPatientChange };
    return messageDetail((await channels.retry({ params: { id: elementAt(ids, 0) }, query })).data);
  },
});
