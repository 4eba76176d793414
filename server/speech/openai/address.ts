/** The address and key of a server that speaks OpenAI's API. */
import { isUnencrypted, normaliseServer } from '../../../src/client/address.ts';
import { AppError } from '../../../src/contract/errors.ts';

/** The engine, as the settings call it. */
type Part = 'recogniser' | 'writer';

const variableOf = (part: Part): string => `LAUDIO_${part.toUpperCase()}_KEY`;

/** Throws CONFIGURATION if the url is not a server's address, or if dictations would travel unencrypted. */
export function safeAddress(part: Part, url: string, insecure: boolean): string {
  const setting = { details: { setting: part } };
  let address: string;
  try {
    address = normaliseServer(url);
  } catch {
    throw new AppError('CONFIGURATION', {
      message: `The url of the ${part} must look like https://host/v1 or http://127.0.0.1:11434/v1.`,
      hint: `The url must not contain a name, password or key; set the key in ${variableOf(part)}.`,
      ...setting,
    });
  }
  if (insecure || !isUnencrypted(address)) return address;
  throw new AppError('CONFIGURATION', {
    message: 'Dictations would travel unencrypted to another computer.',
    hint: 'Use an https url, or insecure=true if you trust the network.',
    ...setting,
  });
}

/** Trims the key. Throws CONFIGURATION if it cannot be sent in a header. */
export function sendableKey(part: Part, setting: string | undefined): string | undefined {
  const key = setting?.trim();
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new AppError('CONFIGURATION', {
    message: `The key of the ${part} contains spaces or other invalid characters.`,
    hint: `Copy the key to ${variableOf(part)} exactly as the service shows it.`,
    details: { setting: part },
  });
}
