/** The address of a database, as an operator writes it: `postgres://user@host:port/database?sslmode=…&schema=…`. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ClientConfig } from 'pg';
import { AppError } from '../../../src/contract/errors.ts';
import { isLoopback } from '../../../src/client/address.ts';

export interface DatabaseAddress {
  readonly connection: ClientConfig;
  /** The name of the schema that has the tables. */
  readonly schema: string;
  /** Whether statements are prepared; a pooler in transaction mode forgets them. */
  readonly prepares: boolean;
  /** Host and port, or the directory of the socket, for messages. */
  readonly shown: string;
  /** Documents cross a network as they are. */
  readonly isOpen: boolean;
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const parameters = ['host', 'sslmode', 'sslrootcert', 'schema', 'prepare'] as const;
type Parameter = (typeof parameters)[number];

const schemaForm = /^[a-z_][a-z0-9_]{0,47}$/;
const form = 'postgres://USER@HOST:PORT/DATABASE';

const unfit = (message: string, hint: string): AppError =>
  new AppError('CONFIGURATION', { message, hint, details: { setting: 'store' } });

/** `written` with or without its scheme. Throws AppError CONFIGURATION, which repeats nothing of the address. */
export function readAddress(written: string, password: string | undefined): DatabaseAddress {
  const url = URL.parse(written.startsWith('//') ? `postgres:${written}` : written);
  if (!url?.pathname.match(/^(?:\/|$)/) || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:'))
    throw unfit('The address of the database cannot be read.', `Write it as --store ${form}.`);
  if (url.password !== '')
    throw unfit(
      'The address of the database has a password, which other users of this computer can read.',
      'Leave it out of the address, and set it as LAUDIO_STORE_KEY in the environment.',
    );
  const given = readParameters(url.searchParams);
  const { schema = 'laudio', prepare = 'on' } = given;
  if (!schemaForm.test(schema))
    throw unfit('The schema of the database has no plain name.', 'Use small letters, digits and _: schema=laudio.');
  if (prepare !== 'on' && prepare !== 'off') throw unfit('prepare is on or off.', 'Write prepare=off for a pooler.');
  const host = given.host ?? (decode(url.hostname).replace(/^\[|\]$/g, '') || '127.0.0.1');
  const port = url.port === '' ? 5432 : Number(url.port);
  const isSocket = host.startsWith('/');
  const ssl = readEncryption(given, host);
  const user = decode(url.username) || userInfo().username;
  return {
    connection: {
      host,
      port,
      user,
      database: decode(url.pathname.slice(1)) || user,
      ...(password !== undefined && { password }),
      ssl,
    },
    schema,
    prepares: prepare === 'on',
    shown: isSocket ? host : `${host}:${port}`,
    isOpen: ssl === false && !isSocket && !isLoopback(given.host ?? (url.hostname || host)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unfit(
      'The address of the database has a % that stands for no character.',
      'Write %25 for a % in the name of a user, a host or a database.',
    );
  }
}

function readParameters(searched: URLSearchParams): { readonly [P in Parameter]?: string } {
  for (const name of searched.keys()) {
    if (!parameters.some((known) => known === name) || searched.getAll(name).length > 1)
      throw unfit(
        'The address of the database has a parameter that is unknown, or twice there.',
        `It may have ${parameters.join(', ')}, each once.`,
      );
  }
  return Object.fromEntries(searched);
}

/** The certificates are those of the file, or those that the system trusts. */
function readEncryption({ sslmode = 'disable', sslrootcert }: ReturnType<typeof readParameters>, host: string) {
  const mode = modes.find((known) => known === sslmode);
  if (mode === undefined) throw unfit('There is no such sslmode.', `It is one of ${modes.join(', ')}.`);
  if (mode === 'disable') {
    if (sslrootcert === undefined) return false;
    throw unfit('sslrootcert is for an encrypted connection.', 'Add sslmode=verify-full.');
  }
  const ca = sslrootcert === undefined ? {} : { ca: readCertificates(sslrootcert) };
  if (mode === 'require' && sslrootcert === undefined) return { rejectUnauthorized: false };
  return mode === 'verify-full' ? { ...ca, servername: host } : { ...ca, checkServerIdentity: () => undefined };
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('CONFIGURATION', {
      message: 'The file of sslrootcert cannot be read.',
      hint: 'Name a file with the certificate of the authority, in PEM, that this user may read.',
      cause,
    });
  }
}
