/** The speech models of the server in this process, as all pages of the device see them. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import type { ModelManager } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { ModelsState } from '../../bridge/models.ts';
import { createRevisions } from '../revisions.ts';
import type { Log, MachineDeps } from '../service.ts';

export interface Models {
  state(): Promise<ModelsState>;
  /** Throws NOT_FOUND if the server stores nothing on disk, and so has no models. */
  offer(): Promise<ModelManager>;
}

export interface ModelsDeps extends Pick<MachineDeps, 'clock'> {
  readonly log: Log;
  readonly open: (() => Promise<ModelManager>) | undefined;
  /** Called when the models have changed. */
  readonly onChange: (state: ModelsState) => void;
}

export function createModels({ clock, log, open, onChange }: ModelsDeps): Models {
  const revision = createRevisions(clock);
  const inTurn = createOrder();
  let opened: Promise<ModelManager> | undefined;
  const readState = async (offer: ModelManager): Promise<ModelsState> => {
    const at = revision();
    const { items, ...rest } = await offer.state();
    return { ...rest, items: items.map((item) => ({ ...item, languages: [...item.languages] })), revision: at };
  };
  async function openFirst(): Promise<ModelManager> {
    if (!open) throw new AppError('NOT_FOUND', { message: appMessage('no_models') });
    const offer = await open();
    offer.onChange(() => {
      void inTurn(async () => onChange(await readState(offer))).catch(() =>
        log({ level: 'warn', event: 'models_not_told' }),
      );
    });
    return offer;
  }
  const offer = (): Promise<ModelManager> => (opened ??= openFirst());
  return { offer, state: async () => readState(await offer()) };
}
