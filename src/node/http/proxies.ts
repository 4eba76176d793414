/** The proxies that the environment names, as curl and most programs read them. */
import { isLoopback } from '../../client/address.ts';
import { AppError } from '../../contract/errors.ts';

export interface Proxies {
  /** In the form for undici; `''` for none. May hold a password: never for people. */
  readonly options: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: '' };
  /** Hosts that are called directly. */
  readonly exceptions: readonly ProxyException[];
  /** Whether this computer's own servers are also called through the proxy. */
  readonly loopback: boolean;
}

/** An entry of NO_PROXY: `example.com`, `.example.com`, `*.example.com` (subdomains alone), `10.0.0.8:8742`, `*`. */
interface ProxyException {
  readonly host: string;
  /** `''`: every port. */
  readonly port: string;
  /** Whether the host itself is called through the proxy, and only its subdomains directly. */
  readonly isWildcard: boolean;
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
    options: { httpProxy, httpsProxy, noProxy: '' },
    exceptions: exceptions.filter((entry) => entry !== alsoLoopback).map(readException),
    loopback: exceptions.includes(alsoLoopback),
  };
}

function readException(entry: string): ProxyException {
  const [, bracketed, plain = entry, port = ''] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain).toLowerCase();
  return { host: name.replace(/^\*?\./, '').replace(/(?<=.)\.$/, ''), port, isWildcard: name.startsWith('*.') };
}

function isException({ host, port, isWildcard }: ProxyException, url: URL): boolean {
  const hostname = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (port !== '' && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  return host === '*' || (!isWildcard && hostname === host) || hostname.endsWith(`.${host}`);
}

/** Whether a request to that address uses a proxy. */
export const isProxied = ({ loopback, exceptions }: Proxies, url: URL): boolean =>
  (loopback || !isLoopback(url.hostname)) && !exceptions.some((each) => isException(each, url));

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
