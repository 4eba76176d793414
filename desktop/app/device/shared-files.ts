/** Texts and tokens of the app in the store of the server, where several processes share it. */
import { join } from 'node:path';
import type { SharedApp } from '../../../server/index.ts';
import { isSealed, openWhole, sealWhole } from '../../../src/node/files/sealing.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { Credentials } from '../../../src/node/login/credential-store.ts';
import type { CredentialStore } from '../../../src/node/login/credential-store.ts';
import { jsonFile } from '../json-file.ts';
import type { KeptText } from '../json-file.ts';

/** A text of the app, encrypted like its files. */
export function sharedText(shared: SharedApp, name: string, sealing: Sealing | undefined): KeptText {
  const path = `app/${name}`;
  return {
    async read() {
      const kept = await shared.readText(name);
      if (kept === undefined || !sealing) return kept;
      const bytes = Buffer.from(kept, 'base64');
      return isSealed(bytes) ? openWhole(sealing, path, bytes) : kept;
    },
    write: (text) => shared.writeText(name, sealing ? sealWhole(sealing, path, text).toString('base64') : text),
    remove: () => shared.writeText(name, ''),
  };
}

/** The tokens of a desk among its files, so that they go with it to another process. */
export function createDeskTokens(directory: string, sealing: Sealing | undefined): CredentialStore {
  const file = jsonFile(join(directory, 'tokens.json'), Credentials, sealing);
  return {
    kind: 'file',
    prepare: async () => undefined,
    load: () => file.read(),
    save: (_, credentials) => file.write(credentials),
    remove: () => file.remove(),
    describe: () => directory,
  };
}

/** Copies of what the service has anyway, which are read again, and locks of this computer. */
const ownOnly =
  /^(?:priors\/|(?:worklist|engines|letterheads|viewers|templates-\w+)\.json$|(?:.*\/)?(?:dictations\.)?lock$)|\.damaged$/;

/** Whether a file of a desk, by its path within the desk, goes to another process with the desk. */
export const isOfDesk = (path: string): boolean => !ownOnly.test(path);
