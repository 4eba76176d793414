/**
 * Refuses requests with a foreign Host or Origin header. A page elsewhere can make a browser send requests here: by a
 * rebound DNS name (then Host is not ours) or across origins (then Origin is not ours). The origin that passes this check is
 * also the server's own address in its answers: in its issuer, in its links, and for whether its cookies are Secure.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnencrypted, normaliseServer } from '../../../src/client/address.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { hubPath } from '../../../src/protocols/fhircast/place.ts';
import { parseRanges } from '../address-ranges.ts';
import type { Ranges } from '../address-ranges.ts';
import { unmapped } from '../client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin at which this server was reached: `http://127.0.0.1:41234`, or its public URL. */
    base: string;
  }
}

/** How others reach the server, as its operator says. */
export interface ReachOptions {
  /** Further names for the Host header, for a server bound to more than loopback. */
  readonly allowedHosts: readonly string[];
  /** Where browsers reach the server behind a proxy that ends TLS. */
  readonly publicUrl?: string | undefined;
  /** Addresses and ranges of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins of viewers whose pages may call the hub. */
  readonly viewerOrigins?: readonly string[];
}

export interface Reach {
  readonly names: ReadonlySet<string>;
  readonly publicUrl: string | undefined;
  readonly isTrustedProxy: Ranges;
  readonly viewerOrigins: readonly string[];
}

/** Checks and normalises the options. AppError CONFIGURATION where a name, a URL or an address is invalid. */
export function readReach({ allowedHosts, publicUrl, trustedProxies, viewerOrigins = [] }: ReachOptions): Reach {
  const trusted = parseRanges(trustedProxies);
  return {
    names: new Set(allowedHosts.map(hostName)),
    publicUrl: publicUrl === undefined ? undefined : readPublicUrl(publicUrl),
    isTrustedProxy: (address) => trusted(unmapped(address)),
    viewerOrigins: viewerOrigins.map(readOrigin),
  };
}

/**
 * The path and query of a request. A target in absolute form names the host itself, and counts instead of the Host header (RFC 9112
 * 3.2.2), which is replaced. Runs before anything looks at the address.
 */
export function readTarget(request: IncomingMessage): string {
  const { url = '', headers } = request;
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (host === undefined) return url;
  if (headers.host !== undefined) headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Browsers that have used TLS once always use TLS from then on, for this host name only (RFC 6797). */
const strictTransport = 'max-age=31536000';

/** Registers the guard. `isInside` says whether this process itself makes the call; such a call may have any Host. */
export function registerHostGuard(
  app: FastifyInstance,
  { names, publicUrl, isTrustedProxy, viewerOrigins }: Reach,
  isInside: (request: FastifyRequest) => boolean,
): void {
  const publicHosts = publicUrl === undefined ? [] : listHosts(publicUrl);
  const isOwnHost = (host: string, socket: FastifyRequest['raw']['socket']): boolean => {
    const [, name = '', port] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
    if (names.has(name)) return true;
    // An injected request has no socket, hence no port to compare.
    if (socket.localPort !== undefined && Number(port ?? 80) !== socket.localPort) return false;
    // An address cannot be rebound as a name can; it only has to be the one that was reached.
    return loopbackNames.includes(name) || name === literal(unmapped(socket.localAddress ?? ''));
  };
  let last = {
    host: '',
    port: undefined as number | undefined,
    address: undefined as string | undefined,
    isOurs: false,
  };
  /** Connections are many, and the hosts by which they reach the server are few. */
  const isOurs = (host: string, socket: FastifyRequest['raw']['socket']): boolean => {
    const { localPort: port, localAddress: address } = socket;
    if (host !== last.host || port !== last.port || address !== last.address)
      last = { host, port, address, isOurs: isOwnHost(host, socket) };
    return last.isOurs;
  };
  const findBase = (request: FastifyRequest, host: string): string => {
    const { socket } = request.raw;
    if (publicUrl !== undefined && publicHosts.includes(host)) return publicUrl;
    if (isInside(request)) return `http://${host}`;
    if (!isOurs(host, socket)) {
      throw new AppError('FORBIDDEN', {
        message: 'This server does not answer to that Host.',
        hint: 'Use 127.0.0.1 or localhost, or start the server with --public-url URL or --allow-host NAME.',
      });
    }
    // Some proxies send their own address for the server as Host.
    const isForwarded = forwarding.some((name) => request.headers[name] !== undefined);
    const isProxied = isForwarded && isTrustedProxy(socket.remoteAddress ?? '');
    return publicUrl !== undefined && isProxied ? publicUrl : `http://${host}`;
  };

  app.decorateRequest('base', '');
  app.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    // RFC 9112 3.2.
    if (host === undefined || countHosts(request.raw.rawHeaders) > 1) {
      throw new AppError('VALIDATION_FAILED', { message: 'The request must have one Host header.' });
    }
    // RFC 9110 4.2.3: hosts are case-insensitive.
    const base = findBase(request, host.toLowerCase());
    request.base = base;
    if (base.startsWith('https:')) reply.header('Strict-Transport-Security', strictTransport);
    const isViewer = origin !== undefined && viewerOrigins.includes(origin) && isBelow(request.url, hubPath);
    if (origin !== undefined && origin !== base && !isViewer) {
      const hint = originHint(origin, publicUrl);
      throw new AppError('FORBIDDEN', {
        message: 'Requests from other origins are not allowed.',
        ...(hint !== undefined && { hint }),
      });
    }
    done();
  });
}

/** Whether an address is that of the path or below it. */
const isBelow = (url: string, path: string): boolean => url === path || url.startsWith(`${path}/`);

/** `https://viewer.example`: without a path. AppError CONFIGURATION. */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.origin === text.replace(/\/$/, '') && /^https?:$/.test(url.protocol)) return url.origin;
  throw new AppError('CONFIGURATION', {
    message: 'The origin of a viewer is not an address like https://viewer.example.',
    hint: 'Give the scheme, the host, and the port if it has one, and no path.',
  });
}

/** Hints at the setting that is missing where a proxy ends TLS. */
function originHint(origin: string, publicUrl: string | undefined): string | undefined {
  if (origin === publicUrl)
    return 'Let the proxy pass on Host; or name the proxy with --trust-proxy ADDRESS, and let it send X-Forwarded-For.';
  return origin.startsWith('https:') && publicUrl === undefined
    ? 'Behind a proxy that ends TLS, start the server with --public-url URL.'
    : undefined;
}

/** Headers that a proxy adds. */
const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'] as const;

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

const literal = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/** The hosts of a URL: with its default port and without. */
const listHosts = (url: string): readonly string[] => {
  const { host, hostname, protocol, port } = new URL(url);
  return port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host];
};

/**
 * Checks and normalises a host name. AppError CONFIGURATION for anything else, such as a name with a port, which never
 * matches.
 */
function hostName(name: string): string {
  if (/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/i.test(name)) return name.toLowerCase();
  throw new AppError('CONFIGURATION', {
    message: `\`${name}\` is not a host name.`,
    hint: 'Write it like laudio.example.com, without https and without a port.',
  });
}

/** Checks and normalises a public URL. AppError CONFIGURATION where it is not an https origin. */
function readPublicUrl(text: string): string {
  const url = normaliseServer(text);
  const { origin } = new URL(url);
  if (url !== origin || isUnencrypted(url)) {
    throw new AppError('CONFIGURATION', {
      message: 'The public URL must be https, and end with the name or the port.',
      hint: 'Write it like https://laudio.example.com.',
    });
  }
  return url;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
