/** Shown at every field for a new password, before the first try. */
export const NEW_PASSWORD_HINT =
  'Не менее 6 символов, среди них заглавная латинская буква и цифра. Пароль, который легко угадать, сайт не примет: слово или имя с годом, Qwerty123';
