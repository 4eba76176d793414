/** The notices at the bottom of the page, in the top layer, so that no dialog hides them. */
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { dismiss, holdNotices, notices } from '../state/notices.ts';
import type { Notice } from '../state/notices.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

const icons: Readonly<Record<Notice['tone'], IconName>> = { done: 'check', info: 'info', error: 'warn' };

export function Notices() {
  const region = useRef<HTMLDivElement>(null);
  const shown = notices.value;
  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    // Reopened with each notice, so that it is above dialogs opened since.
    if (element.matches(':popover-open')) element.hidePopover();
    if (shown.length > 0) element.showPopover();
  }, [shown]);
  return (
    <div
      ref={region}
      class="notices"
      popover="manual"
      role="region"
      aria-label={t('app.notices')}
      onMouseEnter={() => holdNotices(true)}
      onMouseLeave={() => holdNotices(false)}
      onFocusIn={() => holdNotices(true)}
      onFocusOut={() => holdNotices(false)}
    >
      {shown.map((notice) => (
        <div key={notice.id} class={`notice notice-${notice.tone}`} role={notice.tone === 'error' ? 'alert' : 'status'}>
          <Icon name={icons[notice.tone]} />
          <p>
            {notice.text}
            {notice.hint !== undefined && <small>{notice.hint}</small>}
          </p>
          {notice.action !== undefined && (
            <button
              type="button"
              class="notice-action"
              onClick={() => {
                notice.action?.run();
                dismiss(notice.id);
              }}
            >
              {notice.action.label}
            </button>
          )}
          <IconButton icon="close" label={t('app.close')} onClick={() => dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}
