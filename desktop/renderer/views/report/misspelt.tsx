/** A word that no dictionary contains: corrections, and two ways to keep it. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { ReportSpelling } from './use-spelling.ts';

export function Misspelt({
  id,
  word,
  spelling,
  onTake,
}: {
  /** Id of the text that describes the problem. */
  id: string;
  word: string;
  spelling: ReportSpelling;
  onTake: (word: string) => void;
}) {
  const [found, setFound] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    setFound(undefined);
    void spelling.suggest(word).then((suggestions) => isCurrent && setFound(suggestions));
    return () => {
      isCurrent = false;
    };
  }, [word, spelling]);
  return (
    <div class="word-note">
      <p id={id}>
        <Icon name="edit" size={15} />
        <span>
          {t('document.misspelt', { word })} {found?.length === 0 && t('document.misspelt_nothing_near')}
        </span>
      </p>
      <span class="document-warning-ways">
        {found?.map((suggestion) => (
          <Button key={suggestion} onClick={() => onTake(suggestion)}>
            {suggestion}
          </Button>
        ))}
        <Button kind="bare" icon="plus" onClick={() => void spelling.learn(word)}>
          {t('document.misspelt_learn')}
        </Button>
        <Button kind="bare" onClick={() => spelling.ignore(word)}>
          {t('document.finding_dismiss')}
        </Button>
      </span>
    </div>
  );
}
