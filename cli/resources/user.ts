/** Formats and finds users, and defines their options. */
import type { User } from '../../src/contract/admin.ts';
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import { choice, required, text } from '../command.ts';
import { detailView } from '../shell/view.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

/** The user's signature role, and the lines of a signature below the name. */
export const signerOptions = {
  role: choice(
    ['resident', 'attending', 'none'],
    'Role: a resident signs as preliminary, an attending signs as final and co-signs',
  ),
  licence: text('Licence to practise, shown below each signature', { placeholder: 'LICENCE' }),
  place: text('Place, shown below each signature', { placeholder: 'PLACE' }),
};

export const userDetail = (data: User) =>
  detailView({
    data,
    fields: [
      ['Id', data.id],
      ['Username', data.username, 'strong'],
      ['Name', data.display_name],
      ['Role', data.role ?? null],
      ['Licence', data.licence ?? null],
      ['Place', data.place ?? null],
      ['Account at the provider', data.provider?.subject ?? null],
      ['Space', data.space],
    ],
  });

export const userArgument = { user: required('Id (usr_…) or username') };

/** The user with an id or a username. NOT_FOUND if there is none; USAGE if users of several spaces have that name. */
export async function userNamed(
  { users }: Pick<Client, 'users'>,
  word: string,
): Promise<Pick<User, 'id' | 'username'>> {
  if (/^usr_[0-9A-Z]{26}$/.test(word)) return { id: word, username: word };
  const found: User[] = [];
  const names: string[] = [];
  for await (const user of itemsOf((paging) => users.list({ query: { limit: 200, ...paging } }))) {
    names.push(user.username);
    if (user.username.toLowerCase() === word.toLowerCase()) found.push(user);
  }
  const [user, ...others] = found;
  if (!user) throw unknownWord(`There is no user "${word}".`, word, names, 'laudio user list shows them.', 'NOT_FOUND');
  if (others.length === 0) return user;
  throw new AppError('USAGE', {
    message: `Several users are named ${word}: ${found.map(({ id, space }) => `${id} (${space})`).join(', ')}.`,
    hint: 'Give the id.',
  });
}
