/** The words of the first screen: the list, or the login. */
import { app } from './app.ts';
import { errors } from './errors.ts';
import { login } from './login.ts';
import { worklist } from './worklist.ts';

export const en = { app, errors, login, worklist };
