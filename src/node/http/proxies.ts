/** The proxies that the environment names, as curl and most programs read them. */
import { isLoopback } from '../../client/address.ts';
import { AppError } from '../../contract/errors.ts';

export interface Proxies {
  /** As undici takes them; `''` for none. May hold a password: never for people. */
  readonly options: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string };
  /** Whether this computer's own servers are called through the proxy as well. */
  readonly loopback: boolean;
}

/** The entry of NO_PROXY by which browsers say that even this computer is reached through the proxy. */
const alsoLoopback = '<-loopback>';

const schemes = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** `undefined` where no proxy is named. CONFIGURATION for an address that is none; the address is not quoted. */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  const read = (name: string): string | undefined => env[name.toLowerCase()] ?? env[name];
  const httpProxy = addressIn('HTTP_PROXY', read('HTTP_PROXY'));
  const httpsProxy = addressIn('HTTPS_PROXY', read('HTTPS_PROXY'));
  if (httpProxy === '' && httpsProxy === '') return undefined;
  const exceptions = (read('NO_PROXY') ?? '').split(/[,\s]+/).filter((entry) => entry !== '');
  return {
    options: { httpProxy, httpsProxy, noProxy: exceptions.filter((entry) => entry !== alsoLoopback).join(',') },
    loopback: exceptions.includes(alsoLoopback),
  };
}

/** Whether a request to that address goes through a proxy, as far as the kind of host decides. */
export const isProxied = ({ loopback }: Proxies, { hostname }: URL): boolean => loopback || !isLoopback(hostname);

/** `proxy.example.com:3128`, without a name or password. */
export function proxyName({ options: { httpProxy, httpsProxy } }: Proxies, { protocol }: URL): string {
  const address = protocol === 'https:' ? httpsProxy || httpProxy : httpProxy;
  return address === '' ? '' : new URL(address).host;
}

function addressIn(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') return '';
  const address = value.includes('://') ? value.trim() : `http://${value.trim()}`;
  if (URL.canParse(address) && schemes.has(new URL(address).protocol)) return address;
  throw new AppError('CONFIGURATION', {
    message: `${name} is not the address of a proxy.`,
    hint: 'It looks like http://proxy.example.com:3128.',
  });
}
