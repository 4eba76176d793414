/** The proxies that the environment names, as curl and most programs read them. */
import { isLoopback } from '../../client/address.ts';
import { AppError } from '../../contract/errors.ts';

export interface Proxies {
  /** In the form for undici; `''` for none. May hold a password: never for people. */
  readonly options: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string };
  /** Whether this computer's own servers are also called through the proxy. */
  readonly loopback: boolean;
}

/** The entry of NO_PROXY that makes browsers use the proxy even for this computer. */
const alsoLoopback = '<-loopback>';

const schemes = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** `undefined` if no proxy is named. CONFIGURATION for an invalid address, which the error does not quote. */
export function readProxies(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
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

/** Whether a request to that address uses a proxy, as far as the kind of host decides. */
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
