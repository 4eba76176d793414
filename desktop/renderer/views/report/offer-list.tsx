/** The suggestions at a text of the report: autotexts after a slash, and the options of a selected field. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import { t } from '../../i18n/index.ts';
import { findOffers } from '../../state/report/offers.ts';
import type { Offer, Offers } from '../../state/report/offers.ts';
import { choiceTyped, replaceText } from './fill-fields.ts';
import { showIn } from './keyboard-navigation.ts';
import { keepPlaced, placeCard } from './place-card.ts';
import { elementAt } from '../../../../src/domain/elements.ts';
import { mounted } from '../../parts/mounted.ts';

const listId = 'report-offers';
const optionId = (at: number): string => `${listId}-${at}`;

interface OfferMenu extends Offers {
  readonly field: HTMLTextAreaElement;
  /** Index of the suggestion that Enter chooses. */
  readonly at: number;
}

export function OfferList({ pane, macros }: { pane: RefObject<HTMLElement | null>; macros: readonly Offer[] }) {
  const { menu, take } = useOffers(pane, macros);
  return menu && <OfferBox menu={menu} onTake={(offer) => take(menu, offer)} />;
}

/** The menu at the caret; `take` inserts one of its suggestions. */
function useOffers(
  pane: RefObject<HTMLElement | null>,
  macros: readonly Offer[],
): { menu: OfferMenu | null; take: (menu: OfferMenu, offer: Offer) => void } {
  const [shown, show] = useState<OfferMenu | null>(null);
  const now = useRef({ shown, macros });
  now.current = { shown, macros };
  const set = (next: OfferMenu | null): void => {
    now.current = { ...now.current, shown: next };
    show(next);
  };

  const look = (): void => {
    const field = document.activeElement;
    const isText = field instanceof HTMLTextAreaElement && !field.readOnly && mounted(pane).contains(field);
    const offers =
      isText && field.closest('[data-section]')
        ? findOffers(field.value, field.selectionStart, field.selectionEnd, now.current.macros)
        : undefined;
    const { shown: before } = now.current;
    const isSame = before?.kind === 'choice' && before.field === field && before.start === offers?.start;
    if (offers) set({ ...offers, field: field as HTMLTextAreaElement, at: isSame ? before.at : 0 });
    else if (now.current.shown) set(null);
  };
  const take = ({ field, start, end }: OfferMenu, { text }: Offer): void => {
    set(null);
    field.focus();
    replaceText(field, start, end, text);
    // The autotext's first field is filled in next.
    const open = fieldsIn(text)[0];
    if (open)
      requestAnimationFrame(() => {
        showIn(field, start + open.start, start + open.end);
        look();
      });
  };

  useLayoutEffect(() => {
    const report = mounted(pane);
    const onKeyDown = (event: KeyboardEvent): void => {
      const { shown: open } = now.current;
      if (!open || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const count = open.items.length;
      if (event.key === 'ArrowDown') set({ ...open, at: (open.at + 1) % count });
      else if (event.key === 'ArrowUp') set({ ...open, at: (open.at + count - 1) % count });
      else if (event.key === 'Enter' && !event.shiftKey) take(open, elementAt(open.items, open.at));
      else if (event.key === 'Escape') set(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onKeyUp = ({ key }: KeyboardEvent): void => {
      if (!['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'Shift'].includes(key)) look();
    };
    const onChoice = (event: Event): void => {
      look();
      const { shown: open } = now.current;
      const at = open?.items.findIndex(({ text }) => text === (event as CustomEvent<string | null>).detail) ?? -1;
      if (open && at >= 0) set({ ...open, at });
    };
    const close = (): void => void (now.current.shown && set(null));
    report.addEventListener(choiceTyped, onChoice);
    report.addEventListener('keydown', onKeyDown, { capture: true });
    report.addEventListener('keyup', onKeyUp);
    report.addEventListener('click', look);
    report.addEventListener('input', look);
    report.addEventListener('focusout', close);
    return () => {
      report.removeEventListener(choiceTyped, onChoice);
      report.removeEventListener('keydown', onKeyDown, { capture: true });
      report.removeEventListener('keyup', onKeyUp);
      report.removeEventListener('click', look);
      report.removeEventListener('input', look);
      report.removeEventListener('focusout', close);
    };
  }, []);

  return { menu: shown, take };
}

/** The list of suggestions at the text. */
function OfferBox({ menu, onTake }: { menu: OfferMenu; onTake: (offer: Offer) => void }) {
  const { field, at, items, kind } = menu;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', listId);
    field.setAttribute('aria-activedescendant', optionId(at));
    const shownList = mounted(list);
    const stand = (): void => {
      const text = field.getBoundingClientRect();
      shownList.style.maxWidth = `${Math.max(text.width, 240)}px`;
      placeCard(shownList, text, text, 4);
    };
    const leave = keepPlaced(shownList, stand);
    return () => {
      leave();
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) field.removeAttribute(name);
    };
  }, [field, at, items]);

  return (
    <>
      <ul
        ref={list}
        id={listId}
        class="offers"
        role="listbox"
        aria-label={t(kind === 'macro' ? 'app.macros' : 'document.choices')}
      >
        {items.map((offer, n) => (
          <li
            key={`${n} ${offer.name}`}
            id={optionId(n)}
            role="option"
            aria-selected={n === at}
            // The text keeps the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              onTake(offer);
            }}
          >
            <span>{offer.name}</span>
            {offer.text !== offer.name && <small>{offer.text}</small>}
          </li>
        ))}
      </ul>
      <p class="sr-only" role="status">
        {t('document.offers', { n: items.length })}
      </p>
    </>
  );
}
