/**
 * Explains failed TLS connections, in words that say what to do. The other side is "it"; nothing of its certificate is
 * quoted.
 */

export interface TlsFailure {
  /** As the end of a sentence. */
  readonly reason: string;
  /** The remedy, in the names of the channel settings; a sentence. */
  readonly cure: string;
}

/** `calling`: we connect to it; `called`: it connects to us. */
export type Side = 'calling' | 'called';

type Words = string | Readonly<Record<Side, string>>;

/** Patterns over the codes of Node and OpenSSL, the first match wins. An alert is the other side's verdict on us. */
const failures: readonly (readonly [code: RegExp, reason: Words, cure: Words])[] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', 'Have it renewed there.'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet', 'Have both computers keep the right time.'],
  [
    /^ERR_TLS_CERT_ALTNAME_/,
    'its certificate is for another name',
    'Call it by a name in its certificate, or set tls_server_name to that name where the channel has this setting.',
  ],
  [
    /^(?:UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)/,
    'its certificate is signed by nobody known',
    {
      calling: 'Set tls_ca to a file of the certificates that sign it.',
      called: 'Have tls_client_ca name a file of the certificates that sign it.',
    },
  ],
  [
    /^INVALID_PURPOSE$|UNSUPPORTED_CERTIFICATE_PURPOSE/,
    'its certificate is made for another use',
    {
      calling: 'Have one made for servers (serverAuth) there.',
      called: 'Have one made for clients (clientAuth) there.',
    },
  ],
  [/^(?:CERT_|CRL_|INVALID_CA|PATH_LENGTH)/, 'its certificate is not good', 'Have a new one made there.'],
  [
    /ALERT_CERTIFICATE_REQUIRED|PEER_DID_NOT_RETURN_A_CERTIFICATE/,
    { calling: 'it wants to see our certificate', called: 'it shows no certificate' },
    { calling: 'Set tls_certificate and tls_key.', called: 'Have it show one that tls_client_ca has signed.' },
  ],
  [
    /ALERT_CERTIFICATE_EXPIRED/,
    'it says that our certificate has expired',
    'Renew the files of tls_certificate and tls_key.',
  ],
  [
    /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_REVOKED|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)/,
    'it does not take our certificate',
    'Have the certificates that sign tls_certificate entered there, and our name as it stands in it.',
  ],
  [
    /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    'it speaks only TLS that is older than 1.2',
    'Have it updated, or allow TLS 1.2 there.',
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE|RECORD_LAYER_FAILURE/,
    'it speaks no TLS there',
    'Have TLS turned on there, or take tls and the files of tls_… out of the settings.',
  ],
  [
    /ALERT_HANDSHAKE_FAILURE|NO_SHARED_|NO_CIPHERS/,
    { calling: 'it wants to see our certificate, or shares no cipher with us', called: 'it shares no cipher with us' },
    { calling: 'Set tls_certificate and tls_key; else have its ciphers checked.', called: 'Have its ciphers checked.' },
  ],
  [/^ERR_TLS_HANDSHAKE_TIMEOUT$/, 'it says nothing to TLS', 'Does it speak TLS there?'],
];

const wasCut: readonly [reason: Words, cure: Words] = [
  { calling: 'it ended the connection during the handshake', called: 'it went away during the handshake' },
  {
    calling: 'Does it speak TLS there? Does it want a certificate (tls_certificate, tls_key), or another one?',
    called: 'Have the certificates that sign tls_certificate entered there.',
  },
];

const said = (words: Words, side: Side): string => (typeof words === 'string' ? words : words[side]);

/** `undefined`: TLS is not the cause. */
export function tlsFailure(error: unknown, side: Side = 'calling'): TlsFailure | undefined {
  const { code, message, cause } = Object(error) as { code?: unknown; message?: unknown; cause?: unknown };
  const name = typeof code === 'string' ? code : '';
  // Node has no code for a premature end.
  const isCut = name === 'ECONNRESET' && /before secure TLS|socket hang up/.test(String(message));
  const found = isCut ? wasCut : failures.find(([pattern]) => pattern.test(name))?.slice(-2);
  if (found) return { reason: said(found[0] as Words, side), cure: said(found[1] as Words, side) };
  if (/^ERR_(?:SSL|TLS)_[\w/]{1,80}$/.test(name)) {
    return { reason: `the handshake failed (${name})`, cure: 'Check the certificates of both sides.' };
  }
  return cause === undefined ? undefined : tlsFailure(cause, side);
}

/** Both as one text. */
export const describeFailure = ({ reason, cure }: TlsFailure): string =>
  `No safe connection came about: ${reason}. ${cure}`;

/** TLS begins with a handshake, or with an alert at what is none (RFC 8446 5.1). */
export const isTls = (bytes: Uint8Array): boolean => (bytes[0] === 0x16 || bytes[0] === 0x15) && bytes[1] === 0x03;
