import { Button, Flex, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { languageOf } from '#domain/languages.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { Losses } from './Losses.tsx';
import { FORMAT_MESSAGES, WRITABLE, type Writable } from './format-messages.ts';
import { asStored, fetchPictures } from './fetch-pictures.ts';
import type { ExportedFile } from './messages.ts';
import { describeExchangeFailure, saveExported, writeInWorker } from './run-exchange.ts';

type Step =
  | { readonly kind: 'choose' }
  | { readonly kind: 'making'; readonly message: string }
  | { readonly kind: 'made'; readonly exported: ExportedFile };

export interface ExportModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly draft: DraftEditor;
}

function ExportFooter({
  step,
  onMake,
  onChoose,
  onClose,
}: {
  step: Step;
  onMake: () => void;
  onChoose: () => void;
  onClose: () => void;
}) {
  return step.kind === 'made' ? (
    step.exported.losses.length === 0 ? (
      <Button data-autofocus onClick={onClose}>
        Готово
      </Button>
    ) : (
      <>
        <Button
          data-autofocus
          onClick={() => {
            saveExported(step.exported);
            onClose();
          }}
        >
          Скачать с потерями
        </Button>
        <Button variant="default" onClick={onChoose}>
          Другой формат
        </Button>
      </>
    )
  ) : (
    <Button data-autofocus loading={step.kind === 'making'} onClick={onMake}>
      Подготовить файл
    </Button>
  );
}

function FormatChoice({
  value,
  onChange,
}: {
  value: Writable;
  onChange: (format: Writable) => void;
}) {
  return (
    <Flex component="fieldset" direction="column" gap={4}>
      <legend>Формат</legend>
      <Text size="sm" c="dimmed">
        В файл войдут вопросы, их ключи и язык, если формат его знает. Сроки, доступ и другие
        настройки теста в файл не входят.
      </Text>
      {WRITABLE.map((one) => (
        <ChoiceRow
          key={one}
          atTop
          py="xs"
          type="radio"
          name="format"
          checked={value === one}
          onChange={() => onChange(one)}
        >
          {FORMAT_MESSAGES[one].label}
          <br />
          <Text span size="sm" c="dimmed">
            {FORMAT_MESSAGES[one].about}
          </Text>
        </ChoiceRow>
      ))}
    </Flex>
  );
}

function Made({ exported, format }: { exported: ExportedFile; format: Writable }) {
  return (
    <div role="status">
      {exported.losses.length === 0 ? (
        <p>Файл «{exported.fileName}» сохранён. Перенесено всё.</p>
      ) : (
        <>
          <Text inherit fw={600}>
            {FORMAT_MESSAGES[format].label} перенесёт не всё:
          </Text>
          <Losses of={exported.losses} />
        </>
      )}
    </div>
  );
}

/** «Экспорт»: the test as a file for another system, listing beforehand what the format cannot contain. */
export function ExportModal({ opened, onClose, draft }: ExportModalProps) {
  const { data: settings } = useQuery(settingsQuery(draft.testId));
  const title = settings?.name ?? 'Тест';
  const language = settings ? languageOf(settings) : 'ru';
  const [format, setFormat] = useState<Writable>('moodleXml');
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setStep({ kind: 'choose' });
    setProblem(null);
    onClose();
  };

  const make = async () => {
    setProblem(null);
    setStep({ kind: 'making', message: 'Готовим файл' });
    try {
      const pictures = await fetchPictures(draft.questions, asStored, (message) =>
        setStep({ kind: 'making', message }),
      );
      const exported = await writeInWorker({
        kind: 'write',
        format,
        title,
        language,
        questions: [...draft.questions],
        pictures,
      });
      if (exported.losses.length === 0) saveExported(exported);
      setStep({ kind: 'made', exported });
    } catch (error) {
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'choose' });
    }
  };

  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Экспорт теста"
      size="lg"
      footer={
        <ExportFooter
          step={step}
          onMake={() => void make()}
          onChoose={() => setStep({ kind: 'choose' })}
          onClose={close}
        />
      }
    >
      <Stack>
        {problem !== null && (
          <InlineNote tone="bad" role="status">
            {problem}
          </InlineNote>
        )}
        {step.kind === 'choose' && draft.questions.length === 0 && (
          <InlineNote>В тесте пока нет вопросов: файл будет пустым.</InlineNote>
        )}
        {step.kind === 'choose' && <FormatChoice value={format} onChange={setFormat} />}
        {step.kind === 'making' && <p role="status">{step.message}</p>}
        {step.kind === 'made' && <Made exported={step.exported} format={format} />}
      </Stack>
    </Modal>
  );
}
