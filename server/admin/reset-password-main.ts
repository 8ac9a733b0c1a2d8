import { EXIT, UsageError, readArguments, runCommand } from '#server/backup/command.ts';
import { openSharedDatabase } from '#server/backup/running-database.ts';
import { createIds } from '#server/ids.ts';
import { resetByOperator } from './operator-reset.ts';

await runCommand('reset-password', async ({ environment, say }) => {
  const { values, positionals } = readArguments({
    options: {
      unblock: { type: 'boolean', default: false },
      'remove-second-factor': { type: 'boolean', default: false },
    },
  });
  const [email] = positionals;
  if (email === undefined || positionals.length > 1)
    throw new UsageError('Укажите почту учётной записи, одну.');
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = environment;
  let isOpen = true;
  // Connections that end when the database is closed are expected.
  const sayOpen = (line: string) => (isOpen ? say(line) : undefined);
  const database = await openSharedDatabase({
    databaseUrl,
    dataDir,
    say: sayOpen,
    vain: 'сбрасывать нечего',
  });
  try {
    const deps = { pool: database.pool, newId: createIds() };
    const done = await resetByOperator(deps, {
      email,
      mayUnblock: values.unblock,
      removesFactors: values['remove-second-factor'],
      now: new Date(),
    });
    if (done.isUnblocked) say(`Учётная запись ${done.email} разблокирована.`);
    say(`Новый пароль для ${done.email}: ${done.password}`);
    say('Он показан один раз. Все входы этой учётной записи завершены. Смените пароль в профиле.');
    if (done.factors === 'removed')
      say('Вход в два шага выключен: войти можно одним паролем. Включите его снова в профиле.');
    if (done.factors === 'stay')
      say(
        `Вход в два шага остался включён. Если второго шага больше нет ни в каком виде: npm run reset-password -- ${done.email} --remove-second-factor`,
      );
    if (!done.isAdmin) say('Это не администратор: права учётной записи не изменились.');
    return EXIT.done;
  } finally {
    isOpen = false;
    await database.close();
  }
});
