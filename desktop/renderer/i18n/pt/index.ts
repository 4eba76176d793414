import { app } from './app.ts';
import { errors } from './errors.ts';
import { worklist } from './worklist.ts';
import { login } from './login.ts';
import { settings } from './settings.ts';
import { jobs } from './jobs.ts';
import { recorder } from './recorder.ts';
import { exam } from './exam.ts';
import { document } from './document.ts';
import { fileCodes, files } from './files.ts';
import { cosign } from './cosign.ts';
import { pin } from './pin.ts';
import { signing } from './signing.ts';
import { versions } from './versions.ts';

export const pt = {
  app,
  errors,
  worklist,
  login,
  settings,
  jobs,
  recorder,
  exam,
  document,
  signing,
  cosign,
  pin,
  versions,
  files,
  fileCodes,
};
