/** The operator's choice of a login provider. */
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { readSecretFile } from '../shell/secret.ts';

type ProviderOptions = NonNullable<ServerOptions['provider']>;
type Roles = NonNullable<ProviderOptions['roles']>;

interface ProviderWords {
  readonly provider?: string | undefined;
  readonly providerClient?: string | undefined;
  readonly providerSecretFile?: string | undefined;
  readonly providerName?: string | undefined;
  readonly providerSpace?: string | undefined;
  readonly providerClaim?: string | undefined;
  readonly providerScope: readonly string[];
  readonly providerRole: readonly string[];
  readonly keepSetupCode: boolean;
}

const roles = ['physician', 'attending', 'resident', 'operator', 'auditor'] as const satisfies readonly (keyof Roles)[];

/** `undefined`: there is none. USAGE or CONFIGURATION for words that cannot be meant. */
export async function readProvider(context: Context, words: ProviderWords): Promise<ServerOptions['provider']> {
  const { provider: issuer, providerClient: clientId, providerSecretFile: file } = words;
  const { providerName: name, providerSpace: space, providerClaim: claim, keepSetupCode } = words;
  if (issuer === undefined) {
    const others = [clientId, file, name, space, claim, ...words.providerScope, ...words.providerRole];
    if (keepSetupCode || others.some((value) => value !== undefined))
      throw new AppError('USAGE', { message: 'Options of a login provider need --provider.' });
    return undefined;
  }
  if (clientId === undefined) {
    throw new AppError('USAGE', {
      message: '--provider needs --provider-client.',
      hint: 'Register Laudio at the provider, and give the client id that it shows.',
    });
  }
  const secret =
    file === undefined
      ? context.env['LAUDIO_PROVIDER_SECRET'] || undefined
      : await readSecretFile(context, file, '--provider-secret-file');
  return {
    issuer,
    clientId,
    clientSecret: secret?.trim(),
    name,
    space,
    claim,
    scopes: words.providerScope,
    roles: readRoles(words.providerRole),
    keepsSetupCode: keepSetupCode,
  };
}

/** `ROLE=NAME`, where one role may have several names. */
function readRoles(values: readonly string[]): Roles {
  const pairs = values.map((value) => {
    const cut = value.indexOf('=');
    const role = roles.find((each) => each === value.slice(0, Math.max(cut, 0)));
    const name = value.slice(cut + 1).trim();
    if (role !== undefined && name !== '') return { role, name };
    throw new AppError('USAGE', {
      message: `--provider-role takes ROLE=NAME: ${value}`,
      hint: `ROLE is one of ${roles.join(', ')}; NAME is the provider’s role or group.`,
    });
  });
  const byRole = Map.groupBy(pairs, ({ role }) => role);
  return Object.fromEntries([...byRole].map(([role, names]) => [role, names.map(({ name }) => name)]));
}
