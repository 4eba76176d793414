/** The way to the login provider and back, for a pending request. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { words } from '../../http/page/page-words.ts';
import type { PageLanguage } from '../../http/page/page-words.ts';
import type { AuthorizationServices, Sender } from '../exchange.ts';
import type { PendingRequest, PendingRequests } from '../pending-requests.ts';
import { admitPerson, endPerson } from '../provider/admit-person.ts';
import type { ProviderProblem } from '../provider/provider.ts';
import { seeOther } from '../redirect.ts';
import type { StoredUser } from '../stored-account.ts';
import { errorPage } from './error-page.ts';
import type { Visit } from './form.ts';
import { pageAddress, paths } from './paths.ts';

interface Requests {
  readonly pending: PendingRequests;
  /** Goes on with the request once the user is known. */
  readonly enter: (request: PendingRequest, language: PageLanguage, user: StoredUser) => Promise<RawOutput>;
}

const uncached = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } as const;

export function createProviderPages(services: AuthorizationServices, { pending, enter }: Requests) {
  const { provider, noteLogin } = services;
  const expired = (language: PageLanguage): RawOutput => errorPage({ language, kind: 'expired' });
  /** The login page says what is wrong. The address has nothing of the provider's answer. */
  const refuse = (request: PendingRequest, problem: ProviderProblem): RawOutput =>
    seeOther(pageAddress('login', request, { problem }));
  const redirectUri = ({ issuer }: PendingRequest): string => `${issuer}${paths.providerCallback}`;

  return {
    /** OpenID Connect Back-Channel Logout 2.5 and 2.8. */
    async logOut(token: string, from: Sender): Promise<RawOutput> {
      const account = await provider?.readLogout(token);
      if (!provider || !account) return { status: 400, headers: uncached, body: '{"error":"invalid_request"}' };
      const user = await endPerson(services, account, { space: provider.space, from });
      if (user !== undefined) provider.logouts.notify(user);
      return { status: 200, headers: uncached, body: '{}' };
    },
    async begin({ request, language, from }: Visit): Promise<RawOutput> {
      if (!provider || provider.space !== request.space) return expired(language);
      const trip = provider.createTrip();
      const state = await pending.sealTrip(request, trip);
      const { tag } = words[language];
      const begun = await provider.begin(trip, { state, redirectUri: redirectUri(request), language: tag });
      if ('address' in begun) return seeOther(begun.address);
      noteLogin({ way: 'provider', outcome: 'wrong', reason: begun.problem, from });
      return refuse(request, begun.problem);
    },
    /** `answer`: the parameters that the provider gave the browser. */
    async finish({ request, language, from }: Visit, answer: URLSearchParams): Promise<RawOutput> {
      const { trip, sealed: state, space } = request;
      if (!provider || provider.space !== space || !trip || request.user) return expired(language);
      const outcome = await provider.finish(trip, { answer, state, redirectUri: redirectUri(request) });
      const user = 'identity' in outcome ? await admitPerson(services, outcome.identity, { space, from }) : undefined;
      if (user) {
        noteLogin({ way: 'provider', outcome: 'done', user_id: user.id, from });
        return enter(request, language, user);
      }
      const reason = 'problem' in outcome ? outcome.problem : 'no_role';
      noteLogin({ way: 'provider', outcome: 'wrong', reason, from });
      return refuse(request, reason);
    },
  };
}
