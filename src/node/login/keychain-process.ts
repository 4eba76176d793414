/**
 * The system's keychain, in a separate process: `@napi-rs/keyring` connects to it synchronously, and a hanging keychain
 * would hang its caller, beyond the reach of any time limit. Writes `ready` to stdout once it has loaded, reads one
 * JSON request from stdin and writes one JSON answer to stdout, one line each, so that no secret is ever in an argument
 * list. Electron's processes have a port instead.
 */
import { text } from 'node:stream/consumers';
import { AsyncEntry } from 'keytar';
import type { KeychainAnswer, KeychainRequest } from './keychain.ts';

async function answer({ action, service, account, secret }: KeychainRequest): Promise<KeychainAnswer> {
  try {
    // Only a store named in this way is required: otherwise, and with a bare string, the kernel's keyring silently
    // replaces a missing keychain, and it forgets.
    const entry = new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
    if (action === 'get') return { secret: (await entry.getPassword()) ?? null };
    if (action === 'set') await entry.setPassword(secret ?? '');
    else await entry.deleteCredential();
    return { secret: null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown' };
  }
}

/** Electron's `process.parentPort` in a utility process. */
interface ParentPort {
  once(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: string): void;
}

const reply = async (request: string): Promise<string> =>
  JSON.stringify(await answer(JSON.parse(request) as KeychainRequest));
const { parentPort } = process as { readonly parentPort?: ParentPort };
const ready = 'ready';
if (parentPort) {
  parentPort.once('message', ({ data }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
    void reply(String(data)).then((line) => parentPort.postMessage(line));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  parentPort.postMessage(ready);
} else {
  process.stdout.write(`${ready}\n`);
  process.stdout.write(`${await reply(await text(process.stdin))}\n`);
}
