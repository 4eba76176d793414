/** Run by the refresh test: one of many processes that need the same login at the same time. Prints the token it got. */
import { createHttpCall } from '../../src/node/http/http-call.ts';
import { createKeychain } from '../../src/node/login/keychain.ts';
import { createSessions } from '../../src/node/login/session.ts';
import { resolveSettings } from '../../src/node/settings.ts';
import { waitingClock } from '../../src/node/clock.ts';

const [directory = ''] = process.argv.slice(2);
const http = createHttpCall({ timeout: 60_000 });
const session = await createSessions({
  settings: resolveSettings({ flags: {}, env: {}, cwd: directory, files: [] }),
  env: {},
  paths: { config: directory, data: directory, state: directory, cache: directory },
  clock: waitingClock,
  transport: http.transport,
  keychain: createKeychain({ clock: waitingClock, stateDirectory: directory }),
  onRetry: () => undefined,
  warn: () => undefined,
}).open();
const { data } = await session.client.oauth.validate();
await http.close();
process.stdout.write(data.user!.display_name);
