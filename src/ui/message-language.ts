/** `lang` of a message: only the few fixed English ones and those of the browser have no Russian letters. */
export const messageLanguage = (message: unknown): 'en' | undefined =>
  typeof message === 'string' && /[a-z]/i.test(message) && !/\p{Script=Cyrillic}/u.test(message)
    ? 'en'
    : undefined;
