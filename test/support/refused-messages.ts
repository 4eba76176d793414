/** Two channels of a server, a RIS that refused reports and a folder whose order was refused, with messages as the server keeps them. */
import type { Server } from '../../server/index.ts';

const at = '2026-03-02T11:30:00.000Z';
const idOf = (prefix: string, n: number): string => `${prefix}_01J0000000000000000000000${n}`;
/** What stands in the refused order, and must stand on no page. */
export const patient = 'TESTE^PACIENTE';
const order = JSON.stringify([
  {
    accession_number: 'SL-1',
    patient_id: '0045871',
    patient_name: patient,
    modality: 'CT',
    exam_datetime: at,
    exam_description: 'TC de tórax',
  },
]);

export interface RefusedMessages {
  /** Ids of the channels. */
  readonly ris: string;
  readonly orders: string;
}

/** Both channels are of that folder. The order can be taken over when it is tried again; its channel wants nothing else of it. */
export async function addRefusedMessages(
  { inject, adminToken }: Server,
  folder: string,
  reports: number,
): Promise<RefusedMessages> {
  const call = async (url: string, payload: unknown, type = 'application/json') => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': type };
    const answer = await inject({ method: payload === undefined ? 'GET' : 'POST', url, headers, payload } as never);
    if (answer.statusCode > 299) throw new Error(answer.body);
    return answer;
  };
  const add = async (name: string, kind: string): Promise<string> => {
    const settings = { path: folder, ...(kind === 'folder-out' && { format: 'txt' }) };
    return (await call('/api/v1/admin/channels', { name, kind, settings })).json().data.id;
  };
  const [ris, orders] = [await add('ris', 'folder-out'), await add('orders', 'folder-in')];
  const shared = { space: 'default', state: 'refused', at, updated_at: at, key: null, warnings: [] };
  const out = Array.from({ length: reports }, (_, n) => ({
    ...shared,
    id: idOf('msg', n + 1),
    channel_id: ris,
    direction: 'out',
    error: { code: 'HL7_AE', message: 'The RIS refused the report: unknown order.', place: 'OBR-2' },
    event: 'record.signed',
    record_id: idOf('rec', n + 1),
    record_version: 2,
    worklist_item_id: null,
    attempts: 3,
    next_attempt_at: null,
    lane: `${ris}/${idOf('rec', n + 1)}`,
  }));
  const refusedOrder = {
    ...shared,
    id: idOf('msg', 9),
    channel_id: orders,
    direction: 'in',
    error: { code: 'INVALID_VALUE', message: 'The modality is unknown.', place: 'modality', hint: 'Map it.' },
    changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
    bytes: order.length,
    format: 'json',
    content: Buffer.from(order).toString('base64'),
  };
  const header = (await call('/api/v1/admin/export?collections=jobs', undefined)).body.split('\n', 1)[0];
  const lines = [...out, refusedOrder].map((document) => JSON.stringify({ collection: 'messages', document }));
  await call('/api/v1/admin/seed', [header, ...lines, ''].join('\n'), 'application/x-ndjson');
  return { ris, orders };
}
