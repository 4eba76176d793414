/** The remote services that the operator of this server has allowed, stored on this device. */
import { join } from 'node:path';
import { array, string } from '../../../src/contract/schema.ts';
import { jsonFile } from '../json-file.ts';
import type { MachineDeps } from '../service.ts';

export interface AllowedServices {
  has(address: string): boolean;
  /** Resolves when the address is on disk. */
  add(address: string): Promise<void>;
}

/** Maximum number of services; beyond that the oldest is dropped. */
const maxServices = 100;

export async function openAllowedServices({
  directory,
  sealing,
}: Pick<MachineDeps, 'sealing'> & { readonly directory: string }): Promise<AllowedServices> {
  const file = jsonFile(join(directory, 'services.json'), array(string()), sealing);
  let allowed = (await file.read()) ?? [];
  return {
    has: (address) => allowed.includes(address),
    async add(address) {
      allowed = [...allowed.filter((other) => other !== address), address].slice(-maxServices);
      await file.write(allowed);
    },
  };
}
