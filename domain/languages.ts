import type { Language } from '#contract/themes.ts';

/** Languages of questions, those of Russian schools first; their labels in Russian. */
export const LANGUAGE_LABELS: Readonly<Record<Language, string>> = {
  ru: 'Русский',
  en: 'Английский',
  de: 'Немецкий',
  fr: 'Французский',
  es: 'Испанский',
  zh: 'Китайский',
  tt: 'Татарский',
  ba: 'Башкирский',
  cv: 'Чувашский',
};

/** Nothing was chosen. */
export const BY_SUBJECT = 'По предмету';

export const isLanguage = (key: string): key is Language => Object.hasOwn(LANGUAGE_LABELS, key);

const DEFAULT: Readonly<Record<string, Language>> = { english: 'en' };

/** The language of a test's questions: the chosen one, else that of its subject. */
export const languageOf = ({ language, theme }: { language: string; theme: string }): string =>
  language === '' ? (DEFAULT[theme] ?? 'ru') : language;

/** A language by its tag with any region, or by its Russian name; undefined: not available for questions. */
export function languageNamed(named: string): Language | undefined {
  const word = named.trim().toLowerCase();
  const tag = word.split(/[-_]/)[0] ?? '';
  if (isLanguage(tag)) return tag;
  return (Object.keys(LANGUAGE_LABELS) as Language[]).find(
    (language) => LANGUAGE_LABELS[language].toLowerCase() === word,
  );
}

/** «английский»; an unknown tag stays unchanged. */
export const languageLabel = (language: string): string =>
  isLanguage(language) ? LANGUAGE_LABELS[language].toLowerCase() : language;
