/** A wordbook editor: a list, with the selected entry next to it. */
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { ago } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner, Empty, Skeleton } from '../../parts/states.tsx';
import { formatKey, keys } from '../../state/keys.ts';
import { isOnline, waitingChanges } from '../../state/session.ts';
import type { Draft } from '../../state/wordbook/drafts.ts';
import { now } from '../../state/time/now.ts';
import { LogInAgain } from '../app/log-in-again.tsx';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { WordbookImportDialog } from './import-dialog.tsx';
import type { EntryItem, EntryFields, SheetProps } from './entry-kind.ts';

type EntryForm<Words, Kept> = (items: readonly Kept[], draft: Draft<Words, Kept>) => ComponentChildren;

export function WordbookSheet<Words extends EntryFields, Kept extends Words & EntryItem>({
  state,
  texts,
  open,
  onClose,
  list,
  form,
}: SheetProps<Words, Kept> & {
  open: boolean;
  onClose: () => void;
  list: (items: readonly Kept[]) => ComponentChildren;
  form: EntryForm<Words, Kept>;
}) {
  // The waiting changes were sent, or the list can be read again.
  useEffect(() => void state.load(), [isOnline.value, waitingChanges.value]);
  const items = state.items.value;
  const isShown = state.isShown.value;
  return (
    <>
      <Dialog open={open} title={t(`${texts}.title`)} size="xl" onClose={onClose}>
        <div
          class="wordbook-frame"
          onKeyDown={(event) => {
            // In a field the key undoes the typing there.
            const isField = (event.target as Element).matches('input, textarea');
            if (isField || formatKey(event) !== keys.value.undo || state.deleted.peek() === null) return;
            event.preventDefault();
            void state.restore();
          }}
        >
          <Notes state={state} texts={texts} />
          {items === undefined ? (
            <NotYet state={state} texts={texts} />
          ) : (
            <div class="wordbook" data-pane={isShown ? 'form' : 'list'}>
              {list(items)}
              <section class="wordbook-form" aria-label={t(`${texts}.title`)}>
                <OpenEntry {...{ state, texts, items, form }} />
              </section>
            </div>
          )}
        </div>
      </Dialog>
      <WordbookImportDialog state={state} texts={texts} />
    </>
  );
}

/** Rendered with each keystroke, and the list is not. */
function OpenEntry<Words, Kept>({
  state,
  texts,
  items,
  form,
}: SheetProps<Words, Kept> & { items: readonly Kept[]; form: EntryForm<Words, Kept> }) {
  const draft = state.shown.value;
  return draft ? form(items, draft) : <Nothing state={state} texts={texts} isNone={items.length === 0} />;
}

/** Messages above the list and the form. */
function Notes<Words, Kept extends Words>({ state, texts }: SheetProps<Words, Kept>) {
  const { deleted, nameOf } = state;
  const asOf = state.asOf.value;
  return (
    <>
      {state.lacksScope.value && (
        <Banner tone="warn" icon="lock" alert action={<LogInAgain />}>
          {t(`${texts}.old_login`)}
        </Banner>
      )}
      {!isOnline.value && state.items.value !== undefined && (
        <Banner tone="plain" icon="offline">
          {asOf === null ? t('owned.never_read') : t('owned.as_of', { when: ago(asOf, now.value) })}
        </Banner>
      )}
      {deleted.value !== null && (
        <Banner
          tone="plain"
          icon="trash"
          action={
            <>
              <Button kind="bare" keyHint={keyName(keys.value.undo)} onClick={() => void state.restore()}>
                {t('owned.undo')}
              </Button>
              <Button kind="bare" onClick={() => (deleted.value = null)}>
                {t('app.close')}
              </Button>
            </>
          }
        >
          {t('owned.deleted', { name: nameOf(deleted.value) })}
        </Banner>
      )}
    </>
  );
}

function NotYet<Words, Kept>({ state, texts }: SheetProps<Words, Kept>) {
  const error = state.error.value;
  if (error === null) return <Skeleton rows={7} label={t('app.loading')} />;
  if (error.code === 'NOT_FOUND')
    return (
      <Empty icon="template" level="h3" title={t(`${texts}.too_old`)}>
        {t('owned.too_old_hint')}
      </Empty>
    );
  return (
    <Empty
      icon="warn"
      level="h3"
      title={t(`${texts}.not_read`)}
      action={
        <Button icon="retry" onClick={() => void state.load()}>
          {t('app.try_again')}
        </Button>
      }
    >
      {reasonText(error)}
    </Empty>
  );
}

const Nothing = <Words, Kept>({ state, texts, isNone }: SheetProps<Words, Kept> & { isNone: boolean }) => (
  <Empty
    icon="template"
    level="h3"
    title={t(isNone ? `${texts}.none` : `${texts}.choose`)}
    action={
      <Button kind={isNone ? 'primary' : 'plain'} icon="plus" onClick={() => state.start()}>
        {t(`${texts}.new`)}
      </Button>
    }
  >
    {t(isNone ? `${texts}.none_hint` : 'owned.choose_hint')}
  </Empty>
);
