/** Autotexts: found in a list, read and changed beside it. */
import { useEffect } from 'preact/hooks';
import { ago } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner, Empty, Skeleton } from '../../parts/states.tsx';
import {
  deletedMacro,
  isMacroShown,
  lacksScope,
  loadMacros,
  macros,
  macrosAsOf,
  macrosError,
  openMacro,
  restoreMacro,
  startMacro,
} from '../../state/macros/macros.ts';
import { isOnline, waitingChanges } from '../../state/session.ts';
import { now } from '../../state/time/now.ts';
import { LogInAgain } from '../app/log-in-again.tsx';
import { reasonText } from '../recorder/reason.ts';
import { MacroForm } from './macro-form.tsx';
import { MacroList } from './macro-list.tsx';

export function Macros({ open, onClose }: { open: boolean; onClose: () => void }) {
  // What was waiting is sent, or what could not be read can be.
  useEffect(() => void loadMacros(), [isOnline.value, waitingChanges.value]);
  const items = macros.value;
  const isShown = isMacroShown.value;
  return (
    <Dialog open={open} title={t('macros.title')} size="xl" onClose={onClose}>
      <div class="macros-frame">
        <Notes />
        {items === undefined ? (
          <NotYet />
        ) : (
          <div class="macros" data-pane={isShown ? 'form' : 'list'}>
            <MacroList items={items} />
            <section class="macros-form" aria-label={t('macros.title')}>
              {isShown ? <MacroForm key={openMacro.value} items={items} /> : <Nothing isNone={items.length === 0} />}
            </section>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Sentences above the list and the form. */
function Notes() {
  const deleted = deletedMacro.value;
  const asOf = macrosAsOf.value;
  return (
    <>
      {lacksScope.value && (
        <Banner tone="warn" icon="lock" alert action={<LogInAgain />}>
          {t('macros.old_login')}
        </Banner>
      )}
      {!isOnline.value && macros.value !== undefined && (
        <Banner tone="plain" icon="offline">
          {asOf === null ? t('macros.never_read') : t('macros.as_of', { when: ago(asOf, now.value) })}
        </Banner>
      )}
      {deleted !== null && (
        <Banner
          tone="plain"
          icon="trash"
          action={
            <>
              <Button kind="bare" onClick={() => void restoreMacro()}>
                {t('macros.undo')}
              </Button>
              <Button kind="bare" onClick={() => (deletedMacro.value = null)}>
                {t('app.close')}
              </Button>
            </>
          }
        >
          {t('macros.deleted', { name: deleted.name })}
        </Banner>
      )}
    </>
  );
}

function NotYet() {
  const error = macrosError.value;
  if (error === null) return <Skeleton rows={7} label={t('app.loading')} />;
  if (error.code === 'NOT_FOUND')
    return (
      <Empty icon="template" level="h3" title={t('macros.too_old')}>
        {t('macros.too_old_hint')}
      </Empty>
    );
  return (
    <Empty
      icon="warn"
      level="h3"
      title={t('macros.not_read')}
      action={
        <Button icon="retry" onClick={() => void loadMacros()}>
          {t('app.try_again')}
        </Button>
      }
    >
      {reasonText(error)}
    </Empty>
  );
}

const Nothing = ({ isNone }: { isNone: boolean }) => (
  <Empty
    icon="template"
    level="h3"
    title={t(isNone ? 'macros.none' : 'macros.choose')}
    action={
      <Button kind={isNone ? 'primary' : 'plain'} icon="plus" onClick={() => startMacro()}>
        {t('macros.new')}
      </Button>
    }
  >
    {t(isNone ? 'macros.none_hint' : 'macros.choose_hint')}
  </Empty>
);
