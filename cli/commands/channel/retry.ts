import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, optional, text } from '../../command.ts';
import { messageDetail, retriedView } from '../../resources/channel.ts';

export const command = defineCommand({
  description:
    'A refused incoming message is read again with the current settings and mapping of its channel; an outgoing one is sent now.',
  arguments: { id: optional('Id of a message (msg_…)') },
  options: {
    all: text('All refused messages of this channel, oldest first', { placeholder: 'CHANNEL' }),
    acceptPatientChange: flag('Move the message’s exams to the patient that it names; check first whose they are'),
  },
  examples: [
    ['laudio channel retry --all ris', 'after fixing the mapping'],
    ['laudio channel retry msg_… --accept-patient-change', 'if the message names the right patient'],
  ],
  async run({ operator }, { id, all, acceptPatientChange }) {
    if (id !== undefined && all === undefined) {
      const { channels } = await operator();
      const query = { accept_patient_change: acceptPatientChange };
      return messageDetail((await channels.retry({ params: { id }, query })).data);
    }
    if (id !== undefined || all === undefined) {
      throw new AppError('USAGE', { message: 'Name a message, or a channel with --all.' });
    }
    if (acceptPatientChange) {
      throw new AppError('USAGE', {
        message: 'A patient change can be accepted for one message at a time only.',
        hint: 'laudio channel queue lists the messages; laudio channel retry msg_… --accept-patient-change tries one.',
      });
    }
    const { channels } = await operator();
    return retriedView((await channels.retryAll({ params: { channel: all } })).data);
  },
});
