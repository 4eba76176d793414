/** Isolated spaces whose process was killed before it could remove them. Their name says which process that was. */
import type { Client } from '../client/client.ts';
import { itemsOf } from '../client/pages.ts';
import { AppError } from '../contract/errors.ts';
import { isRunning, placeOfProcesses } from './files/processes.ts';

const form = /^laudio exec, process (\d{1,10}) in ([0-9a-f]{8})$/;

/** The name of the client of this process. */
export const nameOwnClient = (): string => `laudio exec, process ${process.pid} in ${placeOfProcesses()}`;

/** Whether this process can tell that the one in the name has ended. */
function isAbandoned(name: string): boolean {
  const [, pid, place] = form.exec(name) ?? [];
  return pid !== undefined && place === placeOfProcesses() && !isRunning(Number(pid));
}

/** Removes abandoned spaces, with their clients and faults. */
export async function removeAbandonedSpaces(
  operator: Pick<Client, 'clients' | 'faults' | 'maintenance'>,
): Promise<void> {
  const abandoned = [];
  for await (const client of itemsOf((paging) => operator.clients.list({ query: paging })))
    if (client.test_mode && client.space === client.id && isAbandoned(client.name)) abandoned.push(client);
  if (abandoned.length === 0) return;
  const { items: faults } = (await operator.faults.list()).data;
  for (const { id, space } of abandoned) {
    for (const { name } of faults.filter(({ client_id }) => client_id === id))
      await operator.faults.remove({ params: { name } }).catch(ignoreMissing);
    await operator.maintenance.reset({ body: { space, accounts: true } }).catch(ignoreMissing);
  }
}

/** Another process may remove the same ones. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
}
