/** Chooses the update channel of the app on this computer; shown in a window of the desktop app. */
import { updateChannels } from '../../../bridge/updates.ts';
import type { UpdateState } from '../../../bridge/updates.ts';
import { Button } from '../../parts/button.tsx';
import { Segmented } from '../../parts/field.tsx';
import { t } from '../../i18n/index.ts';
import { chooseUpdates, restartToUpdate } from '../../state/updates.ts';

export function Updates({ state: { phase, channel, version } }: { state: UpdateState }) {
  if (phase === 'unpublished') return <p>{t('settings.update_unpublished')}</p>;
  return (
    <>
      <div class="field">
        <span class="field-label">{t('settings.update_channel')}</span>
        <Segmented
          label={t('settings.update_channel')}
          value={channel}
          choices={updateChannels.map((value) => ({ value, label: t(`settings.update_${value}`) }))}
          onValue={(value) => void chooseUpdates(value)}
        />
        <p class="field-note">{t(`settings.update_${channel}_hint`)}</p>
      </div>
      {phase !== 'idle' && phase !== 'elsewhere' && (
        <p role="status">
          {t(phase === 'ready' ? 'app.update_ready' : `settings.update_${phase}`, { version: version ?? '' })}
        </p>
      )}
      {phase === 'ready' && (
        <div>
          <Button onClick={() => void restartToUpdate()}>{t('app.update_restart')}</Button>
        </div>
      )}
      <p class="field-note">{t('settings.update_hint')}</p>
    </>
  );
}
