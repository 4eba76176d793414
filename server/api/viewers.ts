/** The calls for the viewers of images, and the hub at which they follow. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { Viewer, viewers as contract } from '../../src/contract/viewer.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Call } from '../http/call.ts';
import type { OtherHub } from '../viewers/workplace-hub.ts';

export interface ViewerDeps {
  readonly viewers: readonly Viewer[];
  readonly hub?: OtherHub | undefined;
  readonly clock: Clock;
}

export const viewerRoutes = ({ viewers, hub, clock }: ViewerDeps): Handlers<typeof contract, Call> => ({
  async list() {
    return { status: 200, data: { items: [...viewers] } };
  },
  async hub(_input, call) {
    const { findWorkplaceHub } = await import('../viewers/workplace-hub.ts');
    return { status: 200, data: await findWorkplaceHub(hub, call, clock) };
  },
});
