/** The page in the small window of a dictation into another program. */
import { lazily } from '../../parts/lazily.tsx';

export const SmallPage = lazily(() => import('../anywhere/anywhere.tsx').then((module) => module.Anywhere));
