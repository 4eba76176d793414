/** Corrections by instruction, and proposals: the service makes them, so it needs every change first. */
import type { Handlers } from '../service.ts';
import type { RecordCopies, RecordsDeps } from './record-copies.ts';

export function createCorrections({ connect, changes, typed }: RecordsDeps, { keep, announce }: RecordCopies) {
  const api = () => connect().client.records;
  const sendWaiting = async (id: string): Promise<void> => {
    if (changes.waiting(id).length > 0) await changes.flush(id);
  };
  const corrected = async ({
    record,
    changes: made,
    instruction,
    message,
  }: Awaited<ReturnType<ReturnType<typeof api>['correct']>>['data']) => {
    await keep(record);
    if (made.length > 0) announce(record);
    return { record, changes: made, instruction, ...(message !== undefined && { message }) };
  };

  const handlers: Pick<Handlers, 'record.correct' | 'record.correct_spoken' | 'record.propose_impression'> = {
    async 'record.propose_impression'({ id, version }) {
      await sendWaiting(id);
      // A model that failed is not asked again unless the person does.
      const { data } = await connect().client.impressions.propose(
        { params: { id } },
        { headers: { 'if-match': `"${version}"` }, retries: 0 },
      );
      return { sentences: data.sentences, refused: data.refused };
    },
    async 'record.correct'({ id, version, instruction, stroke }) {
      await sendWaiting(id);
      const answer = await api().correct(
        { params: { id }, body: { text: instruction } },
        { headers: { 'if-match': `"${version}"` } },
      );
      await typed.settle({ kind: 'instruction', subject: id }, stroke, { text: instruction });
      return corrected(answer.data);
    },
    async 'record.correct_spoken'({ id, version }, bytes = new Uint8Array()) {
      await sendWaiting(id);
      const file = {
        contentType: 'audio/wav',
        size: bytes.length,
        open: async function* () {
          yield bytes;
        },
      };
      const answer = await api().correct(
        { params: { id }, body: {}, file },
        { headers: { 'if-match': `"${version}"` } },
      );
      return corrected(answer.data);
    },
  };
  return {
    /** Sends the waiting changes of the record. Throws NETWORK if that fails. */
    sendWaiting,
    handlers,
  };
}
