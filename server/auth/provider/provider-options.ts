/** The operator's choice of a provider (OpenID Connect): who keeps the accounts of a hospital and logs people in. */
import { defaultSpace } from '../../../src/contract/admin.ts';
import { isUnencrypted } from '../../../src/client/address.ts';
import { AppError } from '../../../src/contract/errors.ts';

/** A later role counts only for a person without an earlier one: a resident who is in two groups signs preliminary reports. */
export const personRoles = ['resident', 'attending', 'physician'] as const;
export const operatorRoles = ['operator', 'auditor'] as const;
export const providerRoles = [...personRoles, ...operatorRoles] as const;
export type PersonRole = (typeof personRoles)[number];
export type OperatorRole = (typeof operatorRoles)[number];
export type ProviderRole = (typeof providerRoles)[number];

export interface ProviderOptions {
  /** The issuer, as the provider writes it into its tokens: https, or http on this computer. */
  readonly issuer: string;
  readonly clientId: string;
  /** Default: a public client, which PKCE alone protects. */
  readonly clientSecret?: string | undefined;
  /** The name on the buttons; default: the host of the issuer. */
  readonly name?: string | undefined;
  /** The space whose people the provider logs in; default: `local`. */
  readonly space?: string | undefined;
  /** The claim with the roles; dots lead into objects. Default: `roles` and `groups`. */
  readonly claim?: string | undefined;
  /** Scopes to ask for, in addition to `openid` and `profile`. */
  readonly scopes?: readonly string[];
  /** The provider's names for a role; default: the role's own name. */
  readonly roles?: Readonly<Partial<Record<ProviderRole, readonly string[]>>>;
  /** Whether the setup code stays valid once an operator has logged in; default: false. */
  readonly keepsSetupCode?: boolean;
}

/** The options with their defaults. */
export interface ChosenProvider extends Pick<ProviderOptions, 'issuer' | 'clientId' | 'clientSecret' | 'claim'> {
  readonly name: string;
  readonly space: string;
  readonly scopes: readonly string[];
  readonly roles: Readonly<Record<ProviderRole, readonly string[]>>;
  readonly keepsSetupCode: boolean;
}

/** CONFIGURATION if the issuer can't be used. */
export function chooseProvider(options: ProviderOptions): ChosenProvider {
  const url = URL.parse(options.issuer);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new AppError('CONFIGURATION', {
      message: 'The provider’s address must look like https://login.example.com/realms/hospital.',
      hint: 'Give the issuer, as its /.well-known/openid-configuration has it.',
    });
  }
  if (isUnencrypted(options.issuer)) {
    throw new AppError('CONFIGURATION', {
      message: 'The provider’s address must begin with https://, unless the provider runs on this computer.',
      hint: 'Ask for its address with TLS. For a private authority, set NODE_EXTRA_CA_CERTS.',
    });
  }
  return {
    scopes: [],
    keepsSetupCode: false,
    ...options,
    name: options.name ?? url.hostname,
    space: options.space ?? defaultSpace,
    roles: Object.fromEntries(
      providerRoles.map((role) => [role, options.roles?.[role] ?? [role]]),
    ) as unknown as ChosenProvider['roles'],
  };
}
