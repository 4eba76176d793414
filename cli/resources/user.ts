/** Shows users, and defines the options that describe a user. */
import type { User } from '../../src/contract/admin.ts';
import { text } from '../command.ts';
import { detailView } from '../view.ts';

/** Lines under a signature besides the name. */
export const signerOptions = {
  licence: text('Licence to practise, under each signature', { placeholder: 'LICENCE' }),
  place: text('Where the user signs, under each signature', { placeholder: 'PLACE' }),
};

export const userDetail = (data: User) =>
  detailView({
    data,
    fields: [
      ['Id', data.id],
      ['Username', data.username, 'strong'],
      ['Name', data.display_name],
      ['Licence', data.licence ?? null],
      ['Place', data.place ?? null],
      ['Space', data.space],
    ],
  });
