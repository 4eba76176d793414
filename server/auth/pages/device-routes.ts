/** The page where a person types a device's code (RFC 8628 3.3). A valid code leads to login and consent. */
import type { FastifyRequest } from 'fastify';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { findSender, findSenderAddress } from '../../http/client-address.ts';
import { createAttempts, deviceCodePolicy } from '../attempts.ts';
import { findDevice } from '../devices.ts';
import type { AuthorizationServices } from '../exchange.ts';
import type { PendingRequests } from '../pending-requests.ts';
import { seeOther } from '../redirect.ts';
import { formatUserCode } from '../user-code.ts';
import { browserCookie } from './browser-cookie.ts';
import { codePage } from './device-pages.ts';
import { errorPage } from './error-page.ts';
import { isFromOurPage } from './form.ts';
import { languageFor } from '../../http/page/page-words.ts';
import { pageAddress } from './paths.ts';

export function createDeviceRoutes(services: AuthorizationServices, pending: PendingRequests) {
  const { counters, store, noteLogin } = services;
  const attempts = createAttempts(counters, deviceCodePolicy);
  const readTypedCode = (form: unknown): string => {
    const { user_code: typed } = Object(form) as { user_code?: unknown };
    return typeof typed === 'string' ? typed.slice(0, 40) : '';
  };

  return {
    /** Shows the form. A code in the address is filled in, but the person still has to submit it. */
    show: (request: FastifyRequest): RawOutput =>
      codePage(languageFor(request), formatUserCode(readTypedCode(request.query))),

    async enter(request: FastifyRequest): Promise<RawOutput> {
      // Another site must not make browsers guess.
      if (!isFromOurPage(request)) return errorPage({ language: languageFor(request), kind: 'forged' });
      const address = findSenderAddress(request);
      const typed = readTypedCode(request.body);
      const { waitSeconds, undo } = await attempts.begin(address);
      const from = findSender(request);
      if (waitSeconds > 0) {
        noteLogin({ way: 'device_code', outcome: 'slowed', from });
        return codePage(languageFor(request), typed, { waitSeconds });
      }
      const device = await findDevice(services, typed);
      const client = device && (await store.get('clients', device.client_id));
      if (!client) {
        noteLogin({ way: 'device_code', outcome: 'wrong', from });
        return codePage(languageFor(request), typed, { unknown: true });
      }
      await undo();
      const opened = await pending.open({
        client_id: client.id,
        client_name: client.name,
        space: client.space,
        scope: device.scope,
        answer: {
          kind: 'device',
          device: device.id,
          user_code: formatUserCode(typed),
          address: device.address,
          asked_at: Date.parse(device.created_at),
        },
        issuer: request.base,
        ui_locales: undefined,
      });
      return seeOther(pageAddress('login', opened), { 'Set-Cookie': browserCookie(opened) });
    },
  };
}
