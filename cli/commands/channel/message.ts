import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageDetail } from '../../resources/channel.ts';
import { outputOption, save } from '../../shell/output-file.ts';

export const command = defineCommand({
  description:
    'With --content what came in with what was read of it, and the acknowledgement; or what goes out, while the channel is open. It is about a patient: the audit trail notes who looked.',
  arguments: { id: required('Id of a message (msg_…)') },
  options: { content: flag('Include the content and what was read of it'), ...outputOption },
  examples: [
    ['laudio channel message msg_… --content', 'the content, and the fields that were read'],
    ['laudio channel message msg_… --output order.hl7', 'save the bytes'],
  ],
  async run(context, { id, content, output }) {
    const query = content || output !== undefined ? { content: true } : {};
    const { data } = await (await context.operator()).channels.message({ params: { id }, query });
    if (output === undefined) return messageDetail(data, data.content && (await readText(data.content)));
    if (data.content === undefined) {
      throw new AppError('NOT_FOUND', {
        message: 'The bytes of the message are not kept.',
        hint: 'Of what goes out, an open channel shows them: laudio channel enable opens one.',
      });
    }
    return save(context, decodeBytes(data.content), output, true);
  },
});

async function readText(content: string): Promise<string> {
  const { decodeContent } = await import('../../../src/files/worklist/hl7/decode.ts');
  return decodeContent(Buffer.from(content, 'base64'));
}

async function* decodeBytes(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content, 'base64');
}
