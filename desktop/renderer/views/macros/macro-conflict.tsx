/** What somebody else made of an autotext while it was changed here: both texts, so that neither is lost. */
import type { Macro } from '../../../../src/contract/macro.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { discardDraft, settleMacro } from '../../state/macros/macros.ts';
import type { Draft } from '../../state/macros/macros.ts';
import { Difference } from '../document/difference.tsx';

export function MacroConflict({ draft: { words, of }, theirs }: { draft: Draft; theirs: Macro | 'deleted' }) {
  const isGone = theirs === 'deleted';
  const before = of?.text ?? '';
  return (
    <section class="document-conflict macro-conflict" role="alert">
      <h3>
        <Icon name="warn" />
        {t(isGone ? 'macros.gone' : 'macros.conflict')}
      </h3>
      <p>{t(isGone ? 'macros.gone_hint' : 'macros.conflict_hint')}</p>
      {!isGone && (
        <div class="document-sides">
          <div>
            <h4>{t('macros.mine', { name: words.name })}</h4>
            <Difference before={before} after={words.text} />
          </div>
          <div>
            <h4>{t('macros.theirs', { n: theirs.version, name: theirs.name })}</h4>
            <Difference before={before} after={theirs.text} />
          </div>
        </div>
      )}
      <div class="document-choices">
        <Button onClick={isGone ? discardDraft : () => void settleMacro('theirs')}>
          {t(isGone ? 'macros.let_go' : 'macros.take_theirs')}
        </Button>
        <Button kind="primary" onClick={() => void settleMacro('mine')}>
          {t(isGone ? 'macros.save_new' : 'macros.keep_mine')}
        </Button>
      </div>
    </section>
  );
}
