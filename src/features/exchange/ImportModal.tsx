import { Button, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useContext, useEffect, useId, useMemo, useRef, useState } from 'react';
import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { FormatId } from '#interchange/model.ts';
import type { DraftEditor } from '#app/authoring/draft/draft.ts';
import { PictureWay } from '#app/authoring/question/picture-way.ts';
import { DropZone } from '#app/ui/forms/DropZone.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { bring } from './bring.ts';
import { Losses } from './Losses.tsx';
import { FORMAT_MESSAGES, READABLE_EXTENSIONS } from './format-messages.ts';
import {
  chosenCount,
  firstChosen,
  nextPart,
  partsOf,
  roomLeft,
  sourcesIn,
  type ImportPart,
} from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { Preview } from './Preview.tsx';
import {
  describeExchangeFailure,
  readInWorker,
  saveExported,
  writeInWorker,
} from './run-exchange.ts';

type Step =
  /** With the file that could not be read, which may be read as another format. */
  | { readonly kind: 'pick'; readonly file: File | null }
  | { readonly kind: 'reading'; readonly name: string; readonly count: number }
  | {
      readonly kind: 'preview';
      readonly file: File;
      readonly imported: ImportedTest;
      readonly part: ImportPart;
    }
  | { readonly kind: 'bringing'; readonly message: string }
  | { readonly kind: 'done'; readonly count: number; readonly lost: readonly string[] };

export interface ImportModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly draft: DraftEditor;
}

const FORMATS = Object.keys(FORMAT_MESSAGES) as FormatId[];

function Pick({ onFile, onSample }: { onFile: (file: File) => void; onSample: () => void }) {
  const rulesId = useId();
  return (
    <Stack>
      <DropZone
        label="Файл с вопросами"
        pick="Выбрать файл"
        icon={IconFileImport}
        accept={READABLE_EXTENSIONS}
        describedBy={rulesId}
        onFile={onFile}
      />
      <Text id={rulesId} size="sm" c="dimmed">
        Подойдут: Moodle XML, GIFT, Aiken, QTI 1.2, 2 или 3 (Canvas, Blackboard, TAO), таблица CSV
        или Excel, документ Word или текст с вопросами нумерованным списком. Сначала будет показано,
        что войдёт и что нет.
      </Text>
      <QuietButton onClick={onSample}>Скачать образец таблицы</QuietButton>
    </Stack>
  );
}

const NOT_CHOSEN = 'notChosen';

/** Another format for the same file, if it was misdetected. */
function FormatSelect({
  value,
  onChange,
}: {
  /** Null: the file could not be read. */
  value: FormatId | null;
  onChange: (format: FormatId) => void;
}) {
  const formats = FORMATS.map((format) => ({
    value: format,
    label: FORMAT_MESSAGES[format].label,
  }));
  return (
    <SelectField
      label={value === null ? 'Прочитать этот файл как' : 'Прочитано как'}
      native
      value={value ?? NOT_CHOSEN}
      choices={
        value === null ? [{ value: NOT_CHOSEN, label: 'Выберите формат' }, ...formats] : formats
      }
      onChange={(chosen) => {
        const format = FORMATS.find((one) => one === chosen);
        if (format !== undefined) onChange(format);
      }}
    />
  );
}

/** The part of a file that holds more questions than a test takes. */
function PartSelect({
  imported,
  part,
  onChange,
}: {
  imported: ImportedTest;
  part: ImportPart;
  onChange: (part: ImportPart) => void;
}) {
  const parts = partsOf(imported);
  return (
    <SelectField
      label={`В тест входит до ${QUESTIONS_PER_TEST} вопросов: выберите часть файла`}
      native
      value={`${part.from}`}
      choices={parts.map(({ from, to }) => ({
        value: `${from}`,
        label: `Вопросы ${from + 1}–${to}`,
      }))}
      onChange={(chosen) => {
        const next = parts.find(({ from }) => `${from}` === chosen);
        if (next) onChange(next);
      }}
    />
  );
}

/** «Импорт»: previews a file of another system, then imports it. */
export function ImportModal({ opened, onClose, draft }: ImportModalProps) {
  const way = useContext(PictureWay);
  const [step, setStep] = useState<Step>({ kind: 'pick', file: null });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const underway = useRef<AbortController | null>(null);
  useEffect(() => () => underway.current?.abort(), []);
  const room = roomLeft(draft.questions);
  const present = useMemo(() => sourcesIn(draft.questions), [draft.questions]);

  const reset = () => {
    underway.current?.abort();
    setStep({ kind: 'pick', file: null });
    setProblem(null);
  };
  const close = () => {
    // Closing before the end imports nothing.
    reset();
    onClose();
  };

  const begin = () => {
    underway.current?.abort();
    underway.current = new AbortController();
    return underway.current;
  };

  const show = (file: File, imported: ImportedTest, part: ImportPart) => {
    setChosen(firstChosen(imported, part, present, room));
    setStep({ kind: 'preview', file, imported, part });
  };

  const read = async (file: File, format: FormatId | null) => {
    const abort = begin();
    setProblem(null);
    const tell = (count: number) => {
      if (!abort.signal.aborted) setStep({ kind: 'reading', name: file.name, count });
    };
    tell(0);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const imported = await readInWorker(
        { kind: 'read', file: { name: file.name, bytes }, format },
        abort.signal,
        tell,
      );
      show(file, imported, nextPart(imported, present));
    } catch (error) {
      if (abort.signal.aborted) return;
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'pick', file });
    }
  };

  const take = async (imported: ImportedTest, back: Step) => {
    const { signal } = begin();
    const tell = (done: number, of: number) =>
      setStep({ kind: 'bringing', message: `Переносим рисунки: ${done + 1} из ${of}` });
    setProblem(null);
    setStep({ kind: 'bringing', message: 'Переносим вопросы' });
    try {
      const { questions, lost } = await bring(imported, chosen, way, tell, signal);
      draft.change(`импорт: ${formatCount(questions.length, QUESTIONS)}`, (now) => [
        ...now,
        ...questions.filter(isNewAmong(now)),
      ]);
      setStep({ kind: 'done', count: questions.length, lost });
    } catch (error) {
      if (signal.aborted) return;
      setProblem(`${describeExchangeFailure(error)} Ничего не перенесено.`);
      setStep(back);
    }
  };

  const sample = async () => {
    try {
      saveExported(await writeInWorker({ kind: 'sample' }));
    } catch (error) {
      setProblem(describeExchangeFailure(error));
    }
  };

  const count = step.kind === 'preview' ? chosenCount(step.imported, chosen) : 0;
  const isTooMany = count > room;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Импорт вопросов"
      size="lg"
      footer={
        step.kind === 'preview' ? (
          <>
            <Button
              data-autofocus
              onClick={() => {
                if (chosen.size > 0 && !isTooMany) void take(step.imported, step);
              }}
            >
              Добавить {formatCount(count, QUESTIONS)}
            </Button>
            <Button variant="default" onClick={reset}>
              Другой файл
            </Button>
          </>
        ) : step.kind === 'reading' || step.kind === 'bringing' ? (
          <Button variant="default" onClick={reset}>
            Остановить
          </Button>
        ) : step.kind === 'done' ? (
          <Button data-autofocus onClick={close}>
            К вопросам
          </Button>
        ) : undefined
      }
    >
      <Stack>
        {problem !== null && (
          <InlineNote tone="bad" role="status">
            {problem}
          </InlineNote>
        )}
        {step.kind === 'pick' && step.file !== null && (
          <FormatSelect
            value={null}
            onChange={(format) => {
              if (step.file) void read(step.file, format);
            }}
          />
        )}
        {step.kind === 'pick' && (
          <Pick onFile={(file) => void read(file, null)} onSample={() => void sample()} />
        )}
        {step.kind === 'reading' && (
          <div>
            <p role="status">Читаем файл «{step.name}»</p>
            {step.count > 0 && (
              <Text c="dimmed">Прочитано {formatCount(step.count, QUESTIONS)}</Text>
            )}
          </div>
        )}
        {step.kind === 'bringing' && <p role="status">{step.message}</p>}
        {step.kind === 'preview' && (
          <>
            <FormatSelect
              value={step.imported.format}
              onChange={(format) => void read(step.file, format)}
            />
            {step.imported.items.length > QUESTIONS_PER_TEST && (
              <PartSelect
                imported={step.imported}
                part={step.part}
                onChange={(part) => show(step.file, step.imported, part)}
              />
            )}
            {isTooMany && (
              <InlineNote tone="warn" role="status">
                В тест войдёт ещё {formatCount(room, QUESTIONS)}, отмечено {count}. Снимите лишние
                отметки.
              </InlineNote>
            )}
            {chosen.size === 0 && (
              <InlineNote tone="warn" role="status">
                Не отмечено ни одного вопроса.
              </InlineNote>
            )}
            <Preview
              imported={step.imported}
              part={step.part}
              present={present}
              chosen={chosen}
              onChosen={setChosen}
            />
          </>
        )}
        {step.kind === 'done' && (
          <div role="status">
            <Text inherit fw={600}>
              Добавлено: {formatCount(step.count, QUESTIONS)}
            </Text>
            {step.lost.length > 0 && (
              <>
                <p>Рисунки, которые не перенеслись:</p>
                <Losses of={step.lost} />
              </>
            )}
          </div>
        )}
      </Stack>
    </Modal>
  );
}

/** `change` may run again on newer questions: existing ones are not added twice. */
const isNewAmong = (now: readonly Question[]) => {
  const known = new Set(now.map(({ questionId }) => questionId));
  return ({ questionId }: Question) => !known.has(questionId);
};
