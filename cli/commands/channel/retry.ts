import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, optional, text } from '../../command.ts';
import { messageDetail, retriedView } from '../../resources/channel.ts';

export const command = defineCommand({
  description:
    'A refused message that came in is read again, with the present settings and mapping of its channel; one that goes out is due at once.',
  arguments: { id: optional('Id of a message (msg_…)') },
  options: {
    all: text('All refused messages of this channel, the oldest first', { placeholder: 'CHANNEL' }),
    acceptPatientChange: flag(
      'The exams of the message become those of the patient that it names: look first whose they are',
    ),
  },
  examples: [
    ['laudio channel retry --all ris', 'after the mapping was mended'],
    ['laudio channel retry msg_… --accept-patient-change', 'where the message names the right patient'],
  ],
  async run({ operator }, { id, all, acceptPatientChange }) {
    if ((id === undefined) === (all === undefined)) {
      throw new AppError('USAGE', { message: 'Name a message, or a channel with --all.' });
    }
    if (all !== undefined && acceptPatientChange) {
      throw new AppError('USAGE', {
        message: 'Another patient is accepted for one message at a time.',
        hint: 'laudio channel queue lists the messages; laudio channel retry msg_… --accept-patient-change tries one.',
      });
    }
    const { channels } = await operator();
    if (all !== undefined) return retriedView((await channels.retryAll({ params: { channel: all } })).data);
    return messageDetail(
      (await channels.retry({ params: { id: id! }, query: { accept_patient_change: acceptPatientChange } })).data,
    );
  },
});
