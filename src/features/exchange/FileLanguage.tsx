import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { updateTest } from '#contract/authoring.ts';
import type { Language } from '#contract/themes.ts';
import { languageLabel, languageOf } from '#domain/languages.ts';
import { call } from '#app/api/call.ts';
import { refreshTests, settingsQuery } from '#app/lib/teacher-queries.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { describeExchangeFailure } from './run-exchange.ts';

/** The language that a file names for its questions, if the test has another one. */
export function FileLanguage({ testId, language }: { testId: string; language: Language }) {
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery(testId));
  const setting = useMutation({
    mutationFn: (version: number) => call(updateTest, { body: { id: testId, version, language } }),
    onSettled: () => refreshTests(client),
  });
  if (!settings) return null;
  const own = languageOf(settings);
  if (own === language)
    return setting.isSuccess ? (
      <InlineNote role="status">Язык вопросов теста теперь {languageLabel(language)}.</InlineNote>
    ) : null;
  return (
    <InlineNote
      {...(setting.isError && { tone: 'bad' as const })}
      role="status"
      action={
        <QuietButton onClick={() => setting.mutate(settings.version)}>
          Выбрать язык из файла
        </QuietButton>
      }
    >
      {setting.isError && `${describeExchangeFailure(setting.error)} `}
      {`Язык вопросов в файле ${languageLabel(language)}, а у теста ${languageLabel(own)}.`}
    </InlineNote>
  );
}
