/** The headers of a message that go on to the next hop (RFC 9110 7.6.1). */

const ofTheConnection: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/**
 * The headers without connection headers, those that `Connection` names, and the `besides` ones; names are in lower
 * case.
 */
export function endToEnd(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  besides: readonly string[] = [],
): Record<string, string> {
  const named = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers)
      .filter(
        ([name, value]) =>
          value !== undefined && !ofTheConnection.has(name) && !named.includes(name) && !besides.includes(name),
      )
      .map(([name, value]) => [name, String(value)]),
  );
}
