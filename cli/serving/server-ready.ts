/** Messages of a server that is ready for requests. */
import type { Fault } from '../../src/contract/fault.ts';
import { grantTypes } from '../../src/contract/oauth.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import type { Server } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { printLine } from '../shell/render.ts';

const keyWords = {
  keychain: 'the key is in the keychain',
  passphrase: 'with a passphrase',
  environment: 'with LAUDIO_DATA_KEY',
} as const;

/** The grants of the built-in test client: its secret is public, so that it gets no token without a user. */
const userGrants = grantTypes.filter((grant) => grant !== 'client_credentials');

/** A browser can't determine whether the person at a page is the server's operator. */
export function printSetupCode(io: Context['io'], { setup_code: code }: RunningServer): void {
  if (code === undefined) return;
  const shown = io.paint(code, 'strong', 'err');
  io.notice(
    `  Setup code     ${shown} (needed in the app for the first user, a new service or a speech model, and in the portal and the inspector)`,
  );
}

/** With `--json` the first line on stdout, for programs; otherwise the next steps for a newcomer. */
export async function printReady(
  { io }: Context,
  running: RunningServer,
  {
    encryptedBy,
    publicUrl,
    forgets,
    clock,
    isSeeded,
    isAlone,
    faults,
    ...speech
  }: Pick<
    Server,
    | 'encryptedBy'
    | 'faults'
    | 'publicUrl'
    | 'recogniser'
    | 'sendsTo'
    | 'engineProblems'
    | 'testReal'
    | 'forgets'
    | 'clock'
    | 'isSeeded'
    | 'isAlone'
  >,
): Promise<void> {
  const { url, pid, data_dir: dataDir, test_client: testClient } = running;
  const time = clock.show();
  if (io.output === 'json') {
    await printLine(io, {
      event: 'ready',
      url,
      ...(publicUrl !== undefined && { public_url: publicUrl }),
      pid,
      data_dir: dataDir,
      ...(encryptedBy && { encrypted_by: encryptedBy }),
      ...(forgets.length > 0 && { not_kept: forgets }),
      ...(faults.list().length > 0 && { faults: faults.list().map(({ name }) => name) }),
      ...(testClient && { test_client: { ...testClient, grants: userGrants } }),
      ...(time.kind !== 'machine' && { clock: { kind: time.kind, now: time.now } }),
      ...(isSeeded && { seeded: true }),
    });
    return printSetupCode(io, running);
  }
  io.notice(`Laudio is ready at ${io.paint(url, 'strong', 'err')}`, 'good');
  if (publicUrl !== undefined) io.notice(`  For browsers   ${publicUrl}`);
  io.notice(`  API reference  ${url}/docs`);
  if (running.setup_code !== undefined) {
    io.notice(`  Portal         ${url}/portal, for partner applications and webhooks`);
    io.notice(`  Inspector      ${url}/inspector, or laudio server requests --follow`);
  }
  if (!isAlone) io.notice(`  Portal         ${publicUrl ?? url}/portal, with the token of --operator-token-file`);
  io.notice(`  Data           ${dataDir}${encryptedBy ? ` (encrypted, ${keyWords[encryptedBy]})` : ''}`);
  if (forgets.length > 0) io.notice(`  Not kept       ${forgets.join(' and ')}: gone when this server stops`, 'warn');
  if (time.kind !== 'machine') io.notice(`  Clock          ${time.now}, ${clockWords[time.kind]}`, 'warn');
  if (isSeeded) io.notice('  Seed           ids and webhook secrets repeat and can be guessed: only for tests', 'warn');
  io.notice(`  Speech         ${speechWords(speech)}`);
  for (const { message, hint } of speech.engineProblems) io.notice(`                 ${message} ${hint}`, 'warn');
  const struck = faultWords(faults.list());
  if (struck !== undefined) io.notice(`  Faults         ${struck}`, 'warn');
  if (testClient) io.notice(`  Test client    ${testClient.client_id} / ${testClient.client_secret}`);
  printSetupCode(io, running);
  io.notice('In another terminal: laudio login, then laudio worklist ingest FILE. Ctrl-C stops it.', 'faint');
}

/** The injected faults: nobody must mistake them for real failures, or overlook that they affect patients. */
function faultWords(faults: readonly Fault[]): string | undefined {
  if (faults.length === 0) return undefined;
  const names = faults.map(({ name }) => name).join(', ');
  const whose = faults.some(({ all_clients: all }) => all) ? 'ALL clients, including real ones,' : 'test clients';
  return `injected faults affect calls of ${whose}: ${names} (laudio server fault)`;
}

const clockWords = {
  fixed: 'which stands still until it is moved: laudio server clock advance 2h',
  offset: 'which runs on from there: not the time of this computer',
} as const;

type Speech = Pick<Server, 'recogniser' | 'sendsTo' | 'testReal'>;

function speechWords({ recogniser, sendsTo, testReal }: Speech): string {
  const ofTests = testReal ? '; test clients have no simulation' : '; test clients have a simulation';
  if (recogniser === undefined)
    return `no recogniser: audio waits in jobs until there is one (laudio engine list)${ofTests}`;
  return `recognised by ${recogniser}${sendsTo === undefined ? '' : `; the audio goes to ${sendsTo}`}${ofTests}`;
}
