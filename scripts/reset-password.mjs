import { runBuilt } from './lib/command.mjs';
import { main } from './lib/project.mjs';

const help = `Новый пароль, когда прежний забыт, а сбросить его в программе некому. Сервер может работать.

  npm run reset-password -- admin@school.ru            сделать новый пароль и показать его один раз
  npm run reset-password -- admin@school.ru --unblock  и разблокировать, если это администратор
  npm run reset-password -- admin@school.ru --remove-second-factor  и выключить вход в два шага

Все входы этой учётной записи завершаются. Заблокированная учётная запись без --unblock остаётся как была.
Сброс виден в журнале администраторов.

Переменные те же, что у сервера: DATA_DIR (по умолчанию .data/server), DATABASE_URL.
Код завершения: 0 — пароль показан; 1 — ничего не изменено, причина сказана; 2 — неверные параметры.`;

await main(() => runBuilt({ name: 'reset-password', help, asBuilt: true }));
