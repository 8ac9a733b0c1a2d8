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

export const isLanguage = (key: string): key is Language => key in LANGUAGE_LABELS;

const DEFAULT: Readonly<Record<string, Language>> = { english: 'en' };

/** The language of a test's questions: as it was chosen, else that of its subject. */
export const languageOf = ({ language, theme }: { language: string; theme: string }): string =>
  language === '' ? (DEFAULT[theme] ?? 'ru') : language;
