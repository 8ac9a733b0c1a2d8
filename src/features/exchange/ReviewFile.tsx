import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { FileLanguage } from './FileLanguage.tsx';
import { bankedOnly, hasNew, partsOf, type ImportPart } from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { FormatSelect } from './PickFile.tsx';
import { Preview } from './Preview.tsx';
import type { ImportState, PreviewStep } from './use-file-import.ts';

const NONE: ReadonlySet<string> = new Set();

/** The part of a file that holds more questions than a test takes. */
function PartSelect({
  imported,
  part,
  known,
  onChange,
}: {
  imported: ImportedTest;
  part: ImportPart;
  known: ReadonlySet<string>;
  onChange: (part: ImportPart) => void;
}) {
  const parts = partsOf(imported);
  return (
    <SelectField
      label={`В тест входит до ${QUESTIONS_PER_TEST} вопросов: выберите часть файла`}
      native
      value={`${part.from}`}
      choices={parts.map((one) => ({
        value: `${one.from}`,
        label: `Вопросы ${one.from + 1}–${one.to}${hasNew(imported, one, known) ? '' : ': уже есть'}`,
      }))}
      onChange={(chosen) => {
        const next = parts.find(({ from }) => `${from}` === chosen);
        if (next) onChange(next);
      }}
    />
  );
}

/** The contents of a file, and the selection of what to import. */
export function ReviewFile({
  testId,
  preview,
  count,
  state,
}: {
  testId: string;
  preview: PreviewStep;
  /** How many questions of a test are selected. */
  count: number;
  state: ImportState;
}) {
  const { file, imported, banked, part } = preview;
  const { chosen, present, room } = state;
  const unselected = bankedOnly(imported, part, banked ?? NONE, present).filter(
    (index) => !chosen.has(index),
  );
  return (
    <>
      <FormatSelect value={imported.format} onChange={(format) => void state.read(file, format)} />
      {imported.language !== undefined && (
        <FileLanguage testId={testId} language={imported.language} />
      )}
      {imported.items.length > QUESTIONS_PER_TEST && (
        <PartSelect
          imported={imported}
          part={part}
          known={state.knownWith(banked)}
          onChange={(next) => state.showPart(preview, next)}
        />
      )}
      {banked === null && (
        <InlineNote
          tone="warn"
          role="status"
          action={
            <QuietButton onClick={() => void state.read(file, imported.format)}>
              Проверить ещё раз
            </QuietButton>
          }
        >
          Не получилось узнать, какие из вопросов уже есть в вашем банке. Они могут повториться.
        </InlineNote>
      )}
      {count > room && (
        <InlineNote tone="warn" role="status">
          В тест войдёт ещё {formatCount(room, QUESTIONS)}, отмечено {count}. Снимите лишние
          отметки.
        </InlineNote>
      )}
      {chosen.size === 0 && (
        <InlineNote tone="warn" role="status">
          {room === 0
            ? `В тесте уже ${QUESTIONS_PER_TEST} вопросов, больше в него не войдёт. Откройте файл в другом тесте.`
            : 'Не отмечено ни одного вопроса.'}
        </InlineNote>
      )}
      {unselected.length > 0 && (
        <InlineNote
          action={
            <QuietButton onClick={() => state.chooseAlso(unselected)}>
              Отметить всё равно
            </QuietButton>
          }
        >
          Из этой части уже есть в банке: {formatCount(unselected.length, QUESTIONS)}. Без повторов
          такие вопросы добавляются в тест из банка.
        </InlineNote>
      )}
      <Preview
        imported={imported}
        present={present}
        banked={banked ?? NONE}
        chosen={chosen}
        onToggle={state.toggle}
      />
    </>
  );
}
