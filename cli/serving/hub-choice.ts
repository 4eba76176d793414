/** The operator's choice of the FHIRcast hub of another system. */
import { isUnencrypted, normaliseServer } from '../../src/client/address.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { readSecretFile } from '../shell/secret.ts';

interface HubWords {
  readonly hub?: string | undefined;
  readonly hubTokenUrl?: string | undefined;
  readonly hubClient?: string | undefined;
  readonly hubSecretFile?: string | undefined;
  readonly hubTopic?: string | undefined;
}

/** `undefined`: there is none. USAGE or CONFIGURATION for words that can't be meant. */
export async function readHub(context: Context, words: HubWords): Promise<ServerOptions['hub']> {
  const { hub, hubTokenUrl, hubClient, hubSecretFile: file, hubTopic: topic = '{username}' } = words;
  if (hub === undefined) {
    if (Object.values({ hubTokenUrl, hubClient, file, topic: words.hubTopic }).some((value) => value !== undefined))
      throw new AppError('USAGE', { message: 'Options of a hub need --hub.' });
    return undefined;
  }
  if (hubTokenUrl === undefined || hubClient === undefined)
    throw new AppError('USAGE', {
      message: '--hub needs --hub-token-url and --hub-client.',
      hint: 'Register Laudio where the hub is, as a client with client credentials and the scopes of FHIRcast.',
    });
  if (!topic.includes('{username}'))
    throw new AppError('USAGE', {
      message: `--hub-topic has no {username}: ${topic}`,
      hint: 'Each person needs a topic of their own. Otherwise the exam of one opens on the screen of another.',
    });
  const secret =
    file === undefined ? context.env['LAUDIO_HUB_SECRET'] : await readSecretFile(context, file, '--hub-secret-file');
  if (!secret)
    throw new AppError('USAGE', {
      message: '--hub needs the secret of its client.',
      hint: 'Put it into a file for --hub-secret-file, or into LAUDIO_HUB_SECRET.',
    });
  return {
    address: readAddress('--hub', hub),
    tokenUrl: readAddress('--hub-token-url', hubTokenUrl),
    clientId: hubClient,
    secret: secret.trim(),
    topic,
  };
}

function readAddress(option: string, value: string): string {
  const address = normaliseServer(value);
  if (!isUnencrypted(address)) return address;
  throw new AppError('USAGE', {
    message: `${option} is not encrypted: ${address}`,
    hint: 'Its tokens open the exams of patients. Begin it with https://, or with http:// on this computer.',
  });
}
