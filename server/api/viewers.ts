/** The call for the viewers of images. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { Viewer, viewers as contract } from '../../src/contract/viewer.ts';
import type { Call } from '../http/call.ts';

export const viewerRoutes = (viewers: readonly Viewer[]): Handlers<typeof contract, Call> => ({
  async list() {
    return { status: 200, data: { items: [...viewers] } };
  },
});
