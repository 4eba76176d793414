/**
 * Decides which addresses webhooks may have. A server that posts to addresses chosen by others is a way into its own network
 * (OWASP, server-side request forgery). So every address is checked twice: at registration and at each connection. Both checks
 * look at the IP addresses of the host name, not at the name, and refuse in case of doubt.
 *
 * Permitted are https to any public address, http and https to loopback if the URL names loopback explicitly, and https to
 * private addresses on the operator's allow-list.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { validationFailed } from '../../../src/contract/errors.ts';
import type { AppError } from '../../../src/contract/errors.ts';
import { parseRanges } from '../../http/address-ranges.ts';
import type { Ranges } from '../../http/address-ranges.ts';

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface TargetOptions {
  /** Private addresses that the operator permits: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. */
  readonly allow?: readonly string[];
  /** Resolves host names; default: the system's resolver. */
  readonly resolve?: Resolve;
}

export interface Targets {
  /** Parses the URL of a webhook, without resolving its host. AppError VALIDATION_FAILED if webhooks must not use the URL. */
  parse(url: string): URL;
  /** Resolves the host. AppError VALIDATION_FAILED if the name does not resolve, or any of its addresses is not permitted. */
  addresses(target: Pick<URL, 'protocol' | 'hostname'>): Promise<readonly string[]>;
}

/** IPv4 ranges that are not globally reachable (IANA IPv4 Special-Purpose Address Registry), multicast and reserved. */
const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The IPv6 range assigned for public use. Outside of it are loopback, link-local, unique local, multicast, and addresses that
 * embed an IPv4 address (mapped, compatible, NAT64).
 */
const global6 = ['2000::/3'];

/** Ranges inside `global6` that are not public (IANA IPv6 Special-Purpose Address Registry). Teredo and 6to4 embed IPv4. */
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const loopback = ['127.0.0.0/8', '::1'];

const refuse = (message: string): AppError =>
  validationFailed([{ field: 'url', message, code: 'INVALID_VALUE' }], message);

const removeBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Whether the text begins with the URL's normalised origin. `http://2130706433`, `http://0177.0.0.1`, `http://127.0.0.1.` and
 * `https://somebody@host` do not: spellings that could mislead a reader are refused.
 */
const isPlain = (text: string, url: URL): boolean =>
  text.toLowerCase().startsWith(url.origin) && /^(?:[:/?#]|$)/.test(text.slice(url.origin.length));

/** Makes the check of webhook addresses. AppError CONFIGURATION if an entry of the allow-list is neither address nor range. */
export function createTargets({ allow = [], resolve = systemResolve }: TargetOptions = {}): Targets {
  const inLoopback = parseRanges(loopback);
  const inNotPublic = parseRanges([...notPublic4, ...notPublic6]);
  const inGlobal6 = parseRanges(global6);
  const allowed = parseRanges(allow);
  const isPublic: Ranges = (address) => !inNotPublic(address) && (isIP(address) === 4 || inGlobal6(address));

  const permits = (address: string, protocol: string, hostname: string): boolean => {
    const outright = hostname === 'localhost' || hostname === address;
    if (outright && inLoopback(address)) return true;
    return protocol === 'https:' && (isPublic(address) || allowed(address));
  };

  return {
    parse(text) {
      const url = URL.parse(text);
      if (!url) throw refuse('The webhook address is not a URL.');
      if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('Webhooks go to https addresses.');
      if (!isPlain(text, url)) {
        throw refuse('The host must be written in its plain form, without a user name, an unusual spelling or spaces.');
      }
      return url;
    },
    async addresses({ protocol, hostname }) {
      const host = removeBrackets(hostname);
      const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
      if (addresses.length === 0) throw refuse('The host name does not resolve.');
      if (addresses.every((address) => permits(address, protocol, host))) return addresses;
      throw refuse(
        'This host is not allowed: webhooks go to public https addresses, or to loopback (127.0.0.1, localhost).',
      );
    },
  };
}
