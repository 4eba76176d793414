import type { Action } from '../../../bridge/keys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { t } from '../../i18n/index.ts';
import { keys } from '../../state/keys.ts';
import { openSheet } from '../../state/route.ts';
import { keyName } from '../app/key-name.ts';

/** The actions in groups, which the settings share. */
export const keyGroups: readonly {
  readonly name: 'dictation' | 'list' | 'report' | 'priors';
  readonly actions: readonly Action[];
}[] = [
  { name: 'dictation', actions: ['record', 'play', 'rewind', 'undo', 'redo', 'generate', 'anywhere'] },
  { name: 'list', actions: ['search', 'next', 'previous', 'open', 'star', 'hand_over'] },
  {
    name: 'report',
    actions: [
      'to_findings',
      'to_impression',
      'next_field',
      'next_note',
      'into_note',
      'to_correction',
      'propose',
      'to_versions',
      'listen',
      'sign',
      'take_back',
      'addendum',
      'next_exam',
      'previous_exam',
      'macros',
      'scores',
      'critical',
      'report_window',
      'voice_help',
      'help',
    ],
  },
  { name: 'priors', actions: ['priors', 'next_prior', 'previous_prior', 'compare', 'take_over'] },
];

/** All shortcuts, opened with `?`. */
export function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      title={t('app.shortcuts')}
      onClose={onClose}
      footer={
        <>
          <Button icon="microphone" onClick={() => openSheet('voice')}>
            {t('voice.title')}
          </Button>
          <Button onClick={() => openSheet('settings')}>{t('settings.change_keys')}</Button>
        </>
      }
    >
      {/* A low window scrolls them, by keyboard too. */}
      <div class="key-groups" role="group" aria-label={t('app.shortcuts')} tabIndex={0}>
        {keyGroups.map(({ name, actions }) => (
          <section key={name}>
            <h3>{t(`settings.keys_${name}`)}</h3>
            <dl>
              {actions.map((action) => (
                <div key={action}>
                  <dt>{t(`settings.key_${action}`)}</dt>
                  <dd>
                    <kbd>{keyName(keys.value[action])}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
