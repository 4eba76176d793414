import type { SecretCosts } from '../../server/runtime/secrets.ts';

const cheap = { N: 16, r: 8, p: 1 };

/** So cheap that a test run can have hundreds of logins; how hard a hash is, the hash itself says. */
export const cheapSecrets: SecretCosts = { password: cheap, client: cheap };
