/** The state of the link, as the pages show it. */
import type { HubState } from '../../bridge/hub.ts';
import type { ServiceDeps } from '../service.ts';

export type LinkStatus = Pick<HubState, 'link' | 'fault' | 'others' | 'apart'>;

export interface HubStatus {
  readonly now: LinkStatus;
  state(): HubState;
  /** Changes the state, and notifies the pages. */
  change(next: Partial<LinkStatus>): void;
}

export function createHubStatus({ emit, revision }: Pick<ServiceDeps, 'emit' | 'revision'>): HubStatus {
  let now: LinkStatus = { link: 'off', fault: null, others: false, apart: null };
  const state = (): HubState => ({ ...now, revision: revision() });
  return {
    get now() {
      return now;
    },
    state,
    change(next) {
      const before = JSON.stringify(now);
      now = { ...now, ...next };
      if (JSON.stringify(now) !== before) emit('hub', state());
    },
  };
}
