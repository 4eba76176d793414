/** Keys, each set by pressing it. */
import { useSignal } from '@preact/signals';
import type { Action } from '../../../bridge/keys.ts';
import { defaultKeys } from '../../../bridge/keys.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { t } from '../../i18n/index.ts';
import { findAction, formatKey, reservedKeys } from '../../state/keys.ts';
import type { Keys } from '../../state/keys.ts';
import { changeSettings } from '../../state/settings.ts';
import { keyName } from '../app/key-name.ts';
import { keyGroups } from '../shortcuts/shortcuts.tsx';

export function Hotkeys({ keys }: { keys: Keys }) {
  const waiting = useSignal<Action | undefined>(undefined);
  const problem = useSignal<{ action: Action; text: string } | undefined>(undefined);
  const set = (action: Action, key: string): void => void changeSettings({ keys: { ...keys, [action]: key } });

  const onKeyDown = (action: Action, event: KeyboardEvent): void => {
    if (waiting.value !== action) return;
    event.preventDefault();
    event.stopPropagation();
    const key = formatKey(event);
    if (key === undefined) return;
    const taken = findAction(key, keys, action);
    waiting.value = undefined;
    if (key === 'Escape') problem.value = undefined;
    else if (reservedKeys.includes(key))
      problem.value = { action, text: t('settings.key_reserved', { key: keyName(key) }) };
    else if (taken !== undefined)
      problem.value = {
        action,
        text: t('settings.key_taken', { key: keyName(key), action: t(`settings.key_${taken}`) }),
      };
    else {
      problem.value = undefined;
      set(action, key);
    }
  };

  return (
    <>
      <p class="field-note">{t('settings.hotkeys_hint')}</p>
      <div class="key-groups">
        {keyGroups.map(({ name, actions }) => (
          <section key={name}>
            <h4>{t(`settings.keys_${name}`)}</h4>
            <ul class="hotkeys">
              {actions.map((action) => {
                const label = t(`settings.key_${action}`);
                const isWaiting = waiting.value === action;
                return (
                  <li key={action}>
                    <span>{label}</span>
                    {keys[action] !== defaultKeys[action] && (
                      <IconButton
                        icon="undo"
                        label={t('settings.key_reset', { action: label })}
                        onClick={() => set(action, defaultKeys[action])}
                      />
                    )}
                    <button
                      type="button"
                      class={isWaiting ? 'hotkey hotkey-waiting' : 'hotkey'}
                      aria-label={
                        isWaiting
                          ? t('settings.key_press')
                          : t('settings.key_set', { action: label, key: keyName(keys[action]) })
                      }
                      onClick={() => {
                        problem.value = undefined;
                        waiting.value = action;
                      }}
                      onBlur={() => isWaiting && (waiting.value = undefined)}
                      onKeyDown={(event) => onKeyDown(action, event)}
                    >
                      {isWaiting ? t('settings.key_press') : keyName(keys[action])}
                    </button>
                    {problem.value?.action === action && (
                      <p class="field-note field-error" role="alert">
                        <Icon name="warn" size={14} />
                        <span>{problem.value.text}</span>
                      </p>
                    )}
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
      </div>
      <Button kind="bare" icon="undo" onClick={() => void changeSettings({ keys: { ...defaultKeys } })}>
        {t('settings.keys_reset')}
      </Button>
    </>
  );
}
