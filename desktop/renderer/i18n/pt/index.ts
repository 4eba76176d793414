/** The words of the first screen: the list, or the login. */
import { app } from './app.ts';
import { errors } from './errors.ts';
import { login } from './login.ts';
import { page, refusals } from './refusals.ts';
import { worklist } from './worklist.ts';

export const pt = { app, errors, login, page, refusals, worklist };
