import { defineCommand } from '../../command.ts';
import { userArgument, userNamed } from '../../resources/user.ts';
import { readSecret, secretOption } from '../../shell/secret.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'The password is asked for, or read from standard input. All logins with the old password end.',
  arguments: userArgument,
  options: secretOption,
  examples: [['laudio user set-password helena', 'asks for the new password']],
  async run(context, { user: word, secretStdin }) {
    const operator = await context.operator();
    const { id } = await userNamed(operator, word);
    const password = await readSecret(context, 'New password (at least 8 characters)', secretStdin);
    const { data } = await operator.users.setPassword({ params: { id }, body: { password } });
    return messageView(`${data.username} has a new password, and is logged out everywhere.`, data);
  },
});
